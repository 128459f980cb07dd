"""Functions of Python's math module, of numbers: by call, and as a text that runs alone."""

import math
import numbers
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RATES = {"slow": 0.1, "fast": 0.5}
NAMES, NUMBERS, PAIRS = RATES.keys(), RATES.values(), RATES.items()


def remainders(x, y):
    return x * math.remainder(x, y) + math.remainder(y * x, 2.0) * y


def truncated(x, y):
    return x * math.fmod(x, y) + y * math.trunc(x * y) + math.fmod(-x, y)


def distance(x, y):
    return math.dist((x, y, 1.0), (0.3, 2.0, x * y))


def product(x, y):
    return math.prod([x, y, x + y]) + math.prod((x, y), start=x)


def logarithms(x, y):
    return math.log(x, 3) + math.log(y, x + 2) * math.log(8, 2)


def lengths(x, y):
    return math.hypot(x, y, x * y) + math.hypot(x, 2 * y, x, 1.0)


def scaled(x, y):
    return math.ldexp(x * y, 3)


def close(x, y):
    return x * x if math.isclose(x, y) or math.isclose(x, y, rel_tol=0.9) else x * y


def terms(x, y):
    total = 0.0
    for i in range(math.trunc(x) + 2):
        total += x**i * y
    return total


ALL = [remainders, truncated, distance, product, logarithms, lengths, scaled]


@pytest.mark.parametrize("f", [*ALL, close, terms])
@pytest.mark.parametrize("args", [(0.7, 1.3), (2.9, 1.3), (3.4, 0.45)])
def test_of_two_numbers(f, args):
    want = [numeric_gradient(f, args, i).value for i in (0, 1)]
    assert np.allclose(gradgen.grad(f, wrt=("x", "y"))(*args), want, rtol=1e-6)
    space = {}
    exec(gradgen.emit(f, wrt=("x", "y")), space)
    found = space[f"grad_{f.__name__}"](*args)
    assert np.allclose(found, want, rtol=1e-6) and all(np.ndim(g) == 0 for g in found)


@pytest.mark.parametrize("x", [5.3, -5.3, 2.5, 1.5, -0.1])
def test_the_value_of_a_remainder(x):
    value, _ = gradgen.value_and_grad(remainders)(x, 1.3)
    assert value == pytest.approx(remainders(x, 1.3), rel=1e-12, abs=1e-12)


def caught(x, y):
    try:
        return math.remainder(x, y) * x
    except ValueError:
        return x


def turned(x, y):
    try:
        return math.remainder(x, 360.0) * x
    except ValueError:
        return x


def test_what_raises_raises():
    with pytest.raises(ValueError):
        gradgen.grad(remainders)(0.7, 0.0)
    for y in (0.0, 1.3):
        want = numeric_gradient(caught, (0.7, y), 0).value
        assert np.allclose(gradgen.grad(caught)(0.7, y), want)
    want = numeric_gradient(turned, (500.0, 1.0), 0).value
    assert np.allclose(gradgen.grad(turned)(500.0, 1.0), want)
    with pytest.raises((ValueError, gradgen.GradgenError)):
        gradgen.grad(unlike)(1.0, 2.0)


def unlike(x, y):
    return math.dist((x, y), (x, y, 1.0))


def named(x, kind="fast"):
    if kind not in NAMES:
        raise ValueError(kind)
    return x * x * RATES[kind]


def all_of_them(x):
    return x * x * sum(NUMBERS) + sum(rate * x for _, rate in PAIRS)


def newer(x):
    return x * x if sys.version_info >= (3, 8) else x


def checked(x):
    if not issubclass(type(x), numbers.Real) or isinstance(x, bool):
        raise TypeError("a number")
    return x * x


@pytest.mark.parametrize("f", [named, all_of_them, newer, checked])
def test_views_of_dictionaries_and_what_python_is(f):
    want = numeric_gradient(f, (1.7,), 0).value
    assert np.allclose(gradgen.grad(f)(1.7), want, rtol=1e-6)
    space = {}
    exec(gradgen.emit(f), space)
    assert np.allclose(space[f"grad_{f.__name__}"](1.7), want, rtol=1e-6)

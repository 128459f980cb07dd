"""Pullbacks of functions that call themselves, where the calls inside vary in more."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def gathered(x, n, total=1.0):
    return total if n == 0 else gathered(x, n - 1, total * x + n)


def by_name(x, n, total=1.0, *, w=2.0):
    return total * w if n == 0 else by_name(x, n - 1, total * x + n, w=w + x)


def number_first(n, x, total=0.0):
    if n == 0:
        return total + x
    return number_first(n - 1, x * 0.5, total + x**2)


CALLS = [
    (gathered, "x", (0.7, 4)),
    (gathered, "x", (np.array([0.7, 0.4]), 3)),
    (gathered, ("x", "total"), (0.7, 4, 1.5)),
    (by_name, "x", (0.7, 3)),
    (number_first, "x", (3, 0.7)),
    (number_first, "x", (3, np.array([0.7, 0.4]))),
    (number_first, "total", (3, 0.7, 0.2)),
]


@pytest.mark.parametrize("function, wrt, args", CALLS)
def test_a_gradient_for_each_argument_asked(function, wrt, args):
    value, pull = gradgen.vjp(function, wrt)(*args)
    assert np.array_equal(value, function(*args))
    seed = np.ones(np.shape(value)) if np.shape(value) else 1.0
    found = pull(seed)
    assert isinstance(found, tuple) is isinstance(wrt, tuple)
    names = function.__code__.co_varnames
    for name, got in zip([wrt] if isinstance(wrt, str) else wrt, np.atleast_1d(found)):
        got = found if isinstance(wrt, str) else got
        want = numeric_gradient(function, list(args), names.index(name), seed).value
        np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("function, wrt, args", CALLS)
def test_the_text_ends_with_it(function, wrt, args):
    names = {}
    text = gradgen.emit(function, wrt, style="callback", example=args)
    exec(text, names)
    value, pull = names[f"vjp_{function.__name__}"](*args)
    found = pull(np.ones(np.shape(value)) if np.shape(value) else 1.0)
    assert isinstance(found, tuple) is isinstance(wrt, tuple)
    assert text.rindex("\ndef ") == text.index(f"\ndef vjp_{function.__name__}(")

"""Forms of packages' code: shapes put together, numbers taken for pairs, fields."""

import dataclasses
from dataclasses import KW_ONLY, dataclass

import numpy as np
import pytest
from scipy import linalg

import gradgen
from tests.both_doors import compare

V = np.array([0.7, 1.3, 0.9])
M = np.outer(V, V) + np.eye(3)


def stacked(x, y):
    shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    out = np.empty(shape + (2, 2))
    out[..., 0, 0], out[..., 0, 1] = x, -y
    out[..., 1, 0], out[..., 1, 1] = x * y, 1.0
    return out


def ahead(x, y):
    shape = np.broadcast_shapes(x.shape, (1,))
    return x * np.ones((1,) + shape) * y


@pytest.mark.parametrize("args", [(V, V + 1), (V, 0.4), (0.3, V), (0.3, 0.4), (V, M)])
def test_shapes_together(args):
    compare(stacked, args, text=False)
    compare(stacked, args, 1, text=False)


def test_shapes_ahead():
    compare(ahead, (V, 0.4))
    compare(stacked, (V, V + 1))


def pair_or_number(x, size=3):
    try:
        first, second = size[0], size[1]
    except (TypeError, IndexError):
        first = second = size
    return x * first + second


def widths(width, x):
    try:
        a = float(width[0])
        b = float(width[1])
    except (TypeError, IndexError):
        a = b = float(width)
    return np.sum(np.exp(-((x / a) ** 2)) * b)


def test_a_number_or_a_pair():
    compare(pair_or_number, (V,), text=False)
    compare(pair_or_number, (V, (2, 5)), text=False)
    compare(pair_or_number, (V, np.array([2.0, 5.0])), text=False)
    compare(widths, (0.7, V), text=False)
    compare(widths, (np.array([0.7, 1.4]), V), text=False)
    compare(widths, (np.float64(0.7), V), 1, text=False)


def other_handler(x):
    try:
        a = x[0]
    except IndexError:
        a = x * 2
    except TypeError:
        a = x * 3
    return a * a


def test_handlers_that_differ():
    compare(other_handler, (V,), text=False)
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(other_handler)(0.7)


def symmetric(A, out=None):
    out = np.add(A, A.T, out=out)
    return np.multiply(out, 0.5, out=out)


def energy(A, out=None):
    return np.sum(symmetric(A, out) * A)


def clipped(x, out=None):
    return np.clip(x, 0.8, 1.0, out=out) ** 2


@pytest.mark.parametrize("f", [symmetric, energy, clipped])
def test_out_is_none(f):
    compare(f, (M,))


def test_out_is_an_array():
    seed, want = np.ones((3, 3)), gradgen.grad(symmetric)(M, seed=np.ones((3, 3)))
    found = gradgen.grad(symmetric)(M, out=np.zeros((3, 3)), seed=seed)
    assert np.allclose(found, want)
    space = {}
    exec(gradgen.emit(symmetric), space)
    with pytest.raises(ValueError, match="out"):
        space["grad_symmetric"](M, np.zeros((3, 3)), seed)


def unbound(x):
    if len(x) > 3:
        raise exceptions.TooLong("no" + str(len(x)))  # noqa: F821
    return x * 2


def test_a_name_that_nothing_has():
    compare(unbound, (V,))
    with pytest.raises(NameError, match="exceptions"):
        gradgen.grad(unbound)(np.ones(5), seed=np.ones(5))


def model(f):
    return f.init and f.metadata.get("kind") != "numerical"


def settings(obj):
    placed = {
        f.name: getattr(obj, f.name)
        for f in dataclasses.fields(obj)
        if model(f) and not f.kw_only
    }
    named = {
        f.name: getattr(obj, f.name)
        for f in dataclasses.fields(obj)
        if model(f) and f.kw_only
    }
    return {**placed, **named}


def core(x, sigma, rate=0.0, flag=False):
    return x * sigma + rate * x**2 * (2 if flag else 1)


@dataclass
class Options:
    sigma: float
    _: KW_ONLY
    rate: float = 0.1
    flag: bool = True
    steps: int = dataclasses.field(default=3, metadata={"kind": "numerical"})

    def __post_init__(self):
        after = getattr(super(), "__post_init__", None)
        if after is not None:
            after()

    def value(self, x):
        return core(x, **settings(self))


def made(x, sigma):
    return Options(sigma, rate=0.3).value(x)


def names(x):
    return x * len(dataclasses.fields(Options)) + x**2


def test_fields_of_a_dataclass():
    compare(Options(0.4).value, (V,), text=False)
    compare(made, (V, 0.4))
    compare(made, (V, 0.4), 1)
    compare(names, (V,))


def test_fields_of_another_thing():
    def wrong(x):
        return x * len(dataclasses.fields(x))

    with pytest.raises((gradgen.GradgenError, TypeError)):
        gradgen.grad(wrong)(V, seed=np.ones(3))


def short(x):
    if x.shape[0] < 2:
        return np.float16(np.nan)
    return x[0] * x[1] * np.float16(0.5)


def overwritten(x):
    A = np.outer(x, x) + np.eye(3)
    first = linalg.solve(A + A, x * x, overwrite_a=True, overwrite_b=True)
    first = first + linalg.solve(A, x, overwrite_a=False)
    return first @ linalg.cholesky(np.outer(x, x) + np.eye(3), overwrite_a=True)


@pytest.mark.parametrize("f", [short, overwritten])
def test_small_numbers_and_what_may_be_overwritten(f):
    compare(f, (V,))


def given(x):
    return linalg.solve(np.outer(x, x) + np.eye(3), x, overwrite_b=True)


def test_what_the_caller_has_is_not_overwritten():
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(given)
    assert caught.value.code == "GG209"


def left(width):
    try:
        first = width[0]
        second = width[1]
    except (TypeError, IndexError):
        first = second = width
    return first * second


def test_a_text_says_that_it_is_for_pairs():
    space = {}
    exec(gradgen.emit(left), space)
    assert np.allclose(space["grad_left"](np.array([2.0, 3.0])), [3.0, 2.0])
    with pytest.raises(ValueError, match="numbers for width"):
        space["grad_left"](0.7)
    text = gradgen.emit(left)
    assert text.count("numbers for width") == 1

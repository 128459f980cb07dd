"""Sums along axes that an argument names: of any array, along any axis."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(11)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_sum(x, axis=None):
    m = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True)) + m


def softmin(x, axis):
    low = np.min(x, axis=axis, keepdims=True)
    e = np.exp(low - x)
    return np.log(e) - np.log(np.sum(e, axis=axis, keepdims=True))


def unit(x, axis=-1):
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def shifted_by_two(x, axis=-1):
    m = np.max(x, axis=axis, keepdims=True)
    return np.sum(np.exp(x - m), axis=axis, keepdims=True) * m


def along_two(x, axis, other):
    m = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - m)
    return np.log(np.sum(e, axis=other, keepdims=True)) + m


FREE = [softmax, log_sum, softmin, unit, shifted_by_two]
AXES = list(itertools.product((-2, -1, 0, 1), repeat=2))
SHAPES = [(3,), (2, 3), (3, 1), (2, 3, 2)]


def axes_of(rank):
    yield from range(-rank, rank)
    yield None
    if rank > 1:
        yield from ((0, 1), (-1, 0))


def right(function, args, **options):
    value = function(*args)
    seed = R.normal(size=np.shape(value))
    space: dict = {}
    exec(gradgen.emit(function, **options), space)
    found = space[f"grad_{function.__name__}"](*args, seed)
    want = numeric_gradient(function, args, 0, seed).value
    assert np.shape(found) == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", FREE, ids=lambda one: one.__name__)
def test_the_text_is_of_any_axis(function):
    text = gradgen.emit(function)
    assert "def _" not in text and "Decided" not in text and "Assumed" not in text


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("function", FREE, ids=lambda one: one.__name__)
def test_along_each_axis(function, shape):
    x = R.normal(size=shape)
    for axis in axes_of(len(shape)):
        if function is unit and (axis is None or isinstance(axis, tuple)):
            continue  # the norm of a matrix, which is not differentiable everywhere
        right(function, (x, axis))


def test_nothing_is_left_of_a_maximum_that_only_shifts():
    for function in (softmax, log_sum):
        assert "hits" not in gradgen.emit(function)
    assert "hits" in gradgen.emit(shifted_by_two)


@pytest.mark.parametrize("axis, other", AXES)
def test_a_maximum_along_another_axis_than_the_sum(axis, other):
    right(along_two, (R.normal(size=(2, 3)), axis, other))


def against_more_axes(x, y, axis):
    m = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(y + x - m), axis=axis, keepdims=True)) + m


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_an_array_of_more_axes_is_summed_along_others(axis):
    args = R.normal(size=(2, 3)), R.normal(size=(2, 2, 3)), axis
    right(against_more_axes, args, general=True)


def standardised(x, axis=-1):
    return (x - x.mean(axis=axis, keepdims=True)) / np.sqrt(
        x.var(axis=axis, keepdims=True) + 1e-5
    )


def scores(x, axis=0):
    return (x - x.mean(axis)) / x.std(axis)


def squared(x, axis=0):
    return x.sum(axis=axis) ** 2


def entropy(z, dim=1):
    p = softmax(z, dim)
    return -np.mean(np.sum(p * np.log(p), axis=dim))


@pytest.mark.parametrize(
    "function", [standardised, scores, squared, entropy], ids=lambda one: one.__name__
)
def test_an_axis_that_has_to_be_known_is_as_by_default(function):
    """No array is taken for a vector where its axis has a default."""
    text = gradgen.emit(function)
    assert "def _" not in text and "Assumed" not in text
    for shape in ((2, 3), (3, 2, 4)):
        x = R.normal(size=shape)
        space: dict = {}
        exec(text, space)
        grad = space[f"grad_{function.__name__}"]
        seed = R.normal(size=np.shape(function(x)))
        want = numeric_gradient(function, (x,), 0, seed).value
        found = grad(x, function.__defaults__[0], seed)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    if "Decided" in text:
        with pytest.raises(ValueError, match="have no gradient here"):
            grad(x, -3, seed)

"""Adjoints that the arms of a branch hand on, multiplied by arrays of their shape."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(5)


def weighed(x, w=None):
    r = np.sin(x)
    if w is not None:
        r = r * w
    return np.sum(r)


def twice(x, w=None):
    r = np.sin(x) * x
    if w is not None:
        r = r * w
    return np.mean(r) * 2


def added(x, w=None):
    r = x * x
    if w is not None:
        r = r * w
    return np.sum(r + x)


def returned(x, w=None):
    r = x + 1.0
    if w is not None:
        r = r * w
    return np.sum(r)


def in_turn(x, w=None):
    r = np.exp(0.1 * x)
    if w is not None:
        r = r * w
    if w is None:
        r = r * 3
    return np.sum(r)


def rows(x, w=None):
    r = np.sum(x * x, axis=1)
    if w is not None:
        r = r * w
    return np.sum(r)


def halved(x, w=None):
    r = (x - 0.5) ** 2
    if w is not None:
        r = r * w
    return np.mean(r)


def divided(x, w=None):
    r = (x - 0.5) ** 2
    if w is not None:
        return np.sum(r * w) / np.sum(w)
    return np.mean(r)


def reduced(x, w=None, reduction="mean"):
    r = np.abs(x - 0.6)
    if w is not None:
        r = r * w
    return np.mean(r) if reduction == "mean" else np.sum(r)


def kept(x, w=None):
    r = x * x
    if w is not None:
        r = r * w
    if np.sum(r) > 100:
        return np.sum(r) * 2
    return np.sum(r)


def rooted(x, w=None):
    r = np.sqrt(x)
    if w is not None:
        r = np.sin(r * w)
    return np.sum(r)


def clipped(x, w=None):
    r = np.maximum(x, 1.0)
    if w is not None:
        r = r * w
    return np.sum(r)


GIVEN = [None, 2.0, "a vector"]
FUNCTIONS = [
    weighed, twice, added, returned, in_turn, rows,
    halved, divided, reduced, kept, rooted, clipped,
]  # fmt: skip


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_right_in_value_shape_and_dtype(function, dtype, given, told):
    x = R.uniform(0.5, 1.5, (4, 3) if function is rows else 4).astype(dtype)
    w = R.uniform(0.5, 1.5, 4).astype(dtype) if given == "a vector" else given
    if function is divided and given == 2.0:
        w = dtype(2.0)  # np.sum of a Python number is a float64
    shapes = {"x": "n d" if function is rows else "n", "w": "<n"} if told else {}
    names: dict = {}
    exec(gradgen.emit(function, wrt="x", shapes=shapes), names)
    found = names[f"grad_{function.__name__}"](x, w)
    exact = x.astype(float), w.astype(float) if isinstance(w, np.ndarray) else w
    want = numeric_gradient(function, exact, 0).value
    assert found.shape == want.shape and found.dtype == dtype
    np.testing.assert_allclose(found, want, rtol=1e-4 if dtype is np.float32 else 1e-7)


def test_nothing_is_filled_for_a_product():
    text = gradgen.emit(weighed, wrt="x", shapes={"x": "n", "w": "n"})
    assert "full_like" not in text
    text = gradgen.emit(returned, wrt="x", shapes={"x": "n", "w": "n"})
    assert "full_like" in text  # which is the gradient itself


@pytest.mark.parametrize(
    "function, told",
    [
        (halved, True),
        (halved, False),
        (divided, True),
        (reduced, True),
        (reduced, False),
    ],
)
def test_nothing_is_filled_for_a_product_with_more(function, told):
    shapes = {"x": "n", "w": "n"} if told else {}
    text = gradgen.emit(function, wrt="x", shapes=shapes)
    assert "full_like" not in text and "def _" not in text

"""An argument told as an array is no None in a text, though the function's default is."""

import numpy as np
import pytest

import gradgen

X = np.array([1.0, 2.0])


def masked(x, w=None):
    return np.sum(x * x, where=w)


def weighted(x, w=None):
    """A mean.

    Parameters
    ----------
    x : ndarray of shape (n,)
    w : ndarray of shape (n,), optional
    """
    return np.average(x * x, weights=w)


def bounded(x, *, low: "n" = None):  # noqa: F821
    return np.sum(np.clip(x * x, low, None))


def behind(x, k=2.0, w=None):
    return np.sum(k * x, where=w)


def asking(x, w=None):
    if w is None:
        w = np.ones(len(x))
    return np.sum(w * x * x)


def executed(f, **told):
    space = {}
    exec(gradgen.emit(f, **told), space)
    return space[f"grad_{f.__name__}"]


@pytest.mark.parametrize(
    "f, told, w",
    [
        (masked, {"x": "n", "w": "n:bool"}, np.array([True, False])),
        (weighted, {}, np.array([1.0, 3.0])),
        (weighted, {"x": "n", "w": "n"}, np.array([1.0, 3.0])),
    ],
)
def test_left_out_of_a_text(f, told, w):
    slope = [(f(X + h, w) - f(X - h, w)) / 2e-6 for h in 1e-6 * np.eye(2)]
    made = executed(f, shapes=told) if told else executed(f)
    np.testing.assert_allclose(made(X, w), slope, rtol=1e-8, atol=1e-9)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'w'"):
        made(X)


def test_a_keyword_that_is_left_out_of_a_text():
    made = executed(bounded, shapes={"x": "n", "low": "n"})
    np.testing.assert_array_equal(made(X, low=np.array([2.0, 3.0])), [0, 4])
    with pytest.raises(TypeError, match="required keyword-only argument: 'low'"):
        made(X)


def test_behind_a_default_the_text_raises():
    made = executed(behind, shapes={"x": "n", "k": "", "w": "n:bool"})
    np.testing.assert_array_equal(made(X, 3.0, np.array([True, False])), [3, 0])
    with pytest.raises(ValueError, match="w is None, and this text is one for an arr"):
        made(X)


def test_what_the_function_asks_for_stays_a_default():
    made = executed(asking, shapes={"x": "n", "w": "n"})
    np.testing.assert_array_equal(made(X), 2 * X)
    np.testing.assert_array_equal(made(X, np.array([0.0, 1.0])), [0, 4])


@pytest.mark.parametrize("f, told", [(masked, "n:bool"), (weighted, "n")])
def test_a_call_that_leaves_it_out_has_a_text_of_its_own(f, told):
    g = gradgen.grad(f, shapes={"x": "n", "w": told})
    slope = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(g(X), slope, rtol=1e-8)
    w = np.array([True, False]) if told == "n:bool" else np.array([1.0, 3.0])
    slope = [(f(X + h, w) - f(X - h, w)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(g(X, w), slope, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(g(X, None), g(X), rtol=1e-12)

"""Arguments that are None by default are looked at where they are given."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.1, -0.2, 0.05])
KINDS = (type(None), int, np.ndarray)


def differences(x, w=None):
    if w is None:
        w = np.ones(len(x) + 1)
    return np.sum(x * (w[1:] - w[:-1]))


def scaled(x, w=None):
    if w is None:
        w = np.ones(len(x) + 1)
    return np.sum(x * w[1:]) * w[0] + w.ndim


def drawdown(x, out=None):
    """`out` has a length of its own, as far as a first reading knows."""
    if out is None:
        out = np.empty((x.shape[0] + 1,) + x.shape[1:])
    out[0] = 100.0
    np.cumprod(1 + x, axis=0, out=out[1:])
    top = np.maximum.accumulate(out, axis=0)
    np.divide(out - top, top, out=out)
    if x.ndim == 1:
        return np.sum(out[1:])
    return np.sum(out[1:] * 2)


def by_class(x):
    if type(x) in KINDS:
        return np.sum(x**2)
    return x * 2


def made(f, **options):
    space = {}
    exec(gradgen.emit(f, **options), space)
    return space[f"grad_{f.__name__}"]


@pytest.mark.parametrize("f", [differences, scaled, drawdown, by_class])
def test_the_gradient_without_it(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(made(f)(X), want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", [differences, scaled])
def test_one_that_is_given_is_a_vector_or_raises(f):
    w = np.array([1.0, 2.0, 0.5, -1.0])
    want = numeric_gradient(f, (X, w), 0).value
    np.testing.assert_allclose(made(f)(X, w), want, rtol=1e-6)
    for other in (np.ones((4, 3)), np.ones(3), np.ones((4, 1))):
        with pytest.raises(ValueError, match="taken for"):
            made(f)(X, other)


def test_a_class_that_has_no_name_of_its_own():
    assert "type(None)" in gradgen.emit(by_class)
    np.testing.assert_allclose(made(by_class)(1.5), 2.0)

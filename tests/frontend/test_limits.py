"""np.finfo(dtype).eps and its like are numbers, of the dtype that they are asked for."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


def of_its_own(x):
    eps = np.finfo(x.dtype).eps
    return np.sum(x / (np.abs(x) + eps))


def of_doubles(x):
    return np.sum(x * np.finfo(np.float64).eps)


def bounded(x):
    return np.sum(np.minimum(x, np.finfo(x.dtype).max))


def no_limit(x):
    return np.sum(x * np.finfo(x.dtype).nothing)


def of_an_array(x):
    return np.sum(x * np.abs(x).max)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_gradient(dtype):
    eps = np.finfo(dtype).eps
    x = np.array([eps, -3 * eps], dtype)
    # d(x / (|x| + eps)) = eps / (|x| + eps)**2
    got = gradgen.grad(of_its_own, shapes={"x": "n"})(x)
    assert got.dtype == dtype
    assert np.allclose(got * eps, [0.25, 0.0625], rtol=8 * eps, atol=0)
    got = gradgen.grad(of_doubles, shapes={"x": "n"})(x)
    assert got.dtype == dtype and np.all(got == np.finfo(np.float64).eps)
    top = np.array([1, np.inf, np.finfo(dtype).max], dtype)
    got = gradgen.grad(bounded, shapes={"x": "n"})(top)
    assert got.dtype == dtype and np.array_equal(got, [1, 0, 0.5])


def test_the_text():
    text = gradgen.emit(of_its_own, shapes={"x": "n"})
    assert "    eps = np.finfo(x.dtype).eps\n" in text


@pytest.mark.parametrize("function", [no_limit, of_an_array])
def test_other_attributes_are_refused(function):
    with pytest.raises(GradgenError, match="GG206"):
        gradgen.emit(function, shapes={"x": "n"})

"""Fourier transforms whose length is an argument that may be None."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

OF_ONE_AXIS = "fft ifft rfft irfft hfft ihfft".split()
X = np.array([0.3, 0.5, 0.9, 0.2])
SQUARE = np.outer(X, X + 1) + np.eye(4)


def differences(f, x, n, h=1e-3):
    """Exact but for rounding: the functions are of the second degree."""
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[place] = h
        found[place] = (f(x + step, n) - f(x - step, n)) / (2 * h)
    return found


def text_of(f, **told):
    space = {}
    exec(gradgen.emit(f, "x", **told), space)
    return space["grad_f"]


@pytest.mark.parametrize("given", ["n", "n=None", "n=6"])
@pytest.mark.parametrize("name", OF_ONE_AXIS)
def test_of_one_axis(name, given, tmp_path):
    source = f"""
def f(x, {given}):
    return np.sum(np.abs(np.fft.{name}(x, n=n) + 0.3) ** 2)
"""
    f = written(source, tmp_path)
    of_none = [text_of(f), text_of(f, example=(X, None))]
    makers = [gradgen.grad(f, "x"), text_of(f, example=(X, 5)), *of_none]
    for n in (None, 3, 4, 5, 6, 9):
        want = differences(f, X, n)
        for gradient in makers:
            try:
                found = gradient(X, n)
            except ValueError as error:
                assert "values of n other than None" in str(error)
                assert given == "n=None" and n is not None and gradient in of_none
                continue
            np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["rfft2", "irfft2"])
def test_of_two_axes(name, tmp_path):
    source = f"""
def f(x, s):
    return np.sum(np.abs(np.fft.{name}(x, s=s, axes=(0, 1)) + 0.3) ** 2)
"""
    f = written(source, tmp_path)
    for gradient in (
        gradgen.grad(f, "x"),
        text_of(f),
        text_of(f, example=(SQUARE, None)),
    ):
        for s in (None, (3, 3), (5, 4), (4, 7)):
            want = differences(f, SQUARE, s)
            np.testing.assert_allclose(gradient(SQUARE, s), want, rtol=1e-9, atol=1e-9)


def test_lengths_in_a_module_of_scipy(tmp_path):
    source = """
from scipy import fft

def f(x, n):
    return np.sum(np.abs(fft.rfft(x, n) + 0.3) ** 2) + np.sum(fft.irfft(x, n) ** 2)
"""
    f = written(source, tmp_path)
    for n in (None, 3, 6, 7):
        for gradient in (gradgen.grad(f, "x"), text_of(f)):
            want = differences(f, X, n)
            np.testing.assert_allclose(gradient(X, n), want, rtol=1e-9, atol=1e-9)

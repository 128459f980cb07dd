"""Absolute values in functions that are smooth at 0: slopes and second derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen

POINT = np.array([0.0, 0.7, -1.2, 0.0])


def square(x):
    return np.sum(np.abs(x) ** 2)


def product(x):
    r = np.abs(x)
    return np.sum(r * r * np.arange(1, 5))


def fourth(x):
    return np.sum(np.abs(x) ** 4 + x)


def squared(x):
    total = 0.0
    for k in range(2):
        total = total + np.sum(np.square(np.abs(x)) * (k + 1))
    return total


def waves(x):
    return np.sum(np.cos(np.abs(x)))


def chain(x):
    return np.sum(np.cosh(np.abs(x)) * np.arange(1, 5))


def both(x):
    return np.sum(np.cosh(np.abs(x)) - np.cos(np.abs(x)))


def bell(x):
    return np.sum(np.exp(-(np.abs(x) ** 2)))


def spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.array([1.0, 2, 3, 2]))


def spectrum_squared(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 4 * np.array([1.0, 2, 3, 2]))


SMOOTH = [
    square,
    product,
    fourth,
    squared,
    waves,
    chain,
    both,
    bell,
    spectrum,
    spectrum_squared,
]


@pytest.mark.parametrize("f", SMOOTH, ids=lambda f: f.__name__)
def test_even_functions_of_lengths_bend_at_0(f):
    hessian = gradgen.hessian(f)(POINT)
    pushed = gradgen.hvp(f)(POINT, np.ones(4))
    twice = gradgen.jacobian(gradgen.grad(f))(POINT)
    want = _measured_hessian(f, POINT)
    np.testing.assert_allclose(hessian, want, atol=2e-5)
    np.testing.assert_allclose(pushed, want.sum(axis=1), atol=5e-5)
    # there abs(z) is in the text of the gradient as well
    if f not in (both, spectrum, spectrum_squared):
        np.testing.assert_allclose(twice, want, atol=2e-5)


def symmetric_log(x):
    return np.sum(np.sign(x) * np.log1p(np.abs(x)))


def symmetric_log_of_a_name(x):
    side = np.sign(x)
    return np.sum(side * np.log1p(np.abs(x)) * 2)


def odd_square(x):
    return np.sum(np.sign(x) * np.abs(x) ** 2)


def shrunk(x):
    return np.sum(np.sign(x) * np.arcsinh(np.abs(x) / 2) + x)


ODD = [symmetric_log, symmetric_log_of_a_name, odd_square, shrunk]


@pytest.mark.parametrize("f", ODD, ids=lambda f: f.__name__)
def test_odd_functions_of_lengths_have_a_slope_at_0(f):
    want = [
        (f(POINT + 1e-6 * e) - f(POINT - 1e-6 * e)) / 2e-6 for e in np.eye(len(POINT))
    ]
    np.testing.assert_allclose(gradgen.grad(f)(POINT), want, atol=2e-6)
    tangent = gradgen.jvp(f)(POINT, np.ones(4))[1]
    np.testing.assert_allclose(tangent, np.sum(want), atol=1e-5)
    names: dict = {}
    exec(gradgen.emit(f, "x"), names)
    np.testing.assert_allclose(names[f"grad_{f.__name__}"](POINT), want, atol=2e-6)


def test_a_sign_by_itself_stays_a_sign():
    def f(x, w):
        return np.sum(np.sign(x) ** 2 * w + np.sign(x) * np.abs(x) * w)

    gradient = gradgen.grad(f, "w")(POINT, np.ones(4))
    np.testing.assert_allclose(gradient, np.sign(POINT) ** 2 + POINT)


def _measured_hessian(f, x):
    step, units = 1e-4, np.eye(len(x))

    def second(a, b):
        corners = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
        return sum(s * f(x + step * (i * a + j * b)) for i, j, s in corners)

    return np.array([[second(a, b) for b in units] for a in units]) / (4 * step**2)

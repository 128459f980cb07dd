"""Functions of complex numbers on their branch cuts, which real numbers reach: arcsin(2 + 0j)."""

import cmath

import numpy as np
import pytest

import gradgen


def real_of_arcsin(p):
    return np.arcsin(p + 0j).real


def imag_of_arcsin(p):
    return np.arcsin(p + 0j).imag


def imag_of_arccos(p):
    return np.arccos(p + 0j).imag


def imag_below_arcsin(p):
    return np.arcsin(p - 0j * p).imag


def both_of_arccosh(p):
    z = np.arccosh(p + 0j)
    return z.real * 2 + z.imag


def imag_of_root(p):
    return np.sqrt(1 - (p + 0j) ** 2).imag


def of_cmath(p):
    return abs(cmath.log(-p)) + cmath.asin(p).imag + cmath.atan(0.3 * p).real


def phases(p):
    return cmath.phase(cmath.exp(1j * p) * (1 + 2j)) + cmath.sqrt(-p).imag


ALL = (
    real_of_arcsin,
    imag_of_arcsin,
    imag_of_arccos,
    imag_below_arcsin,
    both_of_arccosh,
    imag_of_root,
    of_cmath,
    phases,
)


@pytest.mark.parametrize("p", (1.7, -1.7, 0.4))
@pytest.mark.parametrize("f", ALL)
def test_on_either_side(f, p):
    step = 1e-6
    want = (f(p + step) - f(p - step)) / (2 * step)
    np.testing.assert_allclose(gradgen.grad(f)(p), want, rtol=1e-6, atol=1e-8)
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](p)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)

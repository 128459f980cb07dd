"""Stores into the real and the imaginary part of complex arrays that the function makes."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from tests.frontend.measured import X, at_three_points, is_right


def both(x):
    z = np.zeros(3, dtype=complex)
    z.real = x
    z.imag = 2 * x**2
    return np.sum(np.abs(z) ** 2)


def of_nothing(x):
    z = np.empty(np.shape(x), dtype=complex)
    z.real = 2 * x
    z.imag = x[::-1]
    return np.sum(np.maximum(np.abs(z), 1e-9) * z.real + z.imag)


def one_alone(x):
    z = x * (1 + 2j)
    z.real = 0
    return np.sum(np.abs(z) ** 2)


def entries(x):
    z = np.zeros((2, 3), dtype=complex)
    z.real[0] = x
    z.imag[1, 1:] = x[1:] ** 2
    z[1].real = np.sin(x)
    return np.sum(np.abs(z) ** 4)


def a_view(x):
    z = np.zeros((2, 3), complex)
    w = z[0]
    w.real = x
    w.imag = x * x
    return np.sum(np.abs(z) ** 2)


def changed(x):
    z = x * (1 + 1j)
    z.real += x**2
    z.imag[1:] *= x[1:]
    z.imag[0] -= x[2]
    return np.sum(np.abs(z) ** 2)


def of_rounds(x):
    z = np.zeros(3, dtype=complex)
    for i in range(3):
        z.real[i] = x[i] ** 2
        z.imag[i] = x[i] + z.real[i - 1]
    return np.sum(np.abs(z) ** 2)


@at_three_points
@pytest.mark.parametrize(
    "function", [both, of_nothing, one_alone, entries, a_view, changed, of_rounds]
)
def test_parts(function, x):
    is_right(function, x)


def of_an_argument(z):
    y = z.copy()
    y.real = np.abs(z)
    return np.sum(np.abs(y) ** 2)


def of_a_real(x):
    y = x.copy()
    y.imag = x
    return np.sum(y)


def of_what_is_left(x):
    z = np.empty((2, 3), dtype=complex)
    z[0].real = x
    z.imag = x
    z[1].real = x
    return np.sum(np.abs(z))


@pytest.mark.parametrize("function", [of_an_argument, of_a_real, of_what_is_left])
def test_what_is_not_known_is_refused(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(X * (1 + 1j) if function is of_an_argument else X)
    assert caught.value.code in ("GG115", "GG232")


def written_instead(z):
    y = z.copy()
    y[...] = np.abs(z) + 1j * np.imag(y)
    return np.sum(np.abs(y) ** 2)


def test_what_to_write_instead_works():
    z = X * (1 + 2j)
    got = gradgen.grad(written_instead)(z)
    for k in range(3):
        for step, part in ((1e-6, 1), (1e-6j, -1j)):
            moved = np.zeros(3, complex)
            moved[k] = step
            slope = (of_an_argument(z + moved) - of_an_argument(z - moved)) / 2e-6
            found = got[k].real if part == 1 else -got[k].imag
            np.testing.assert_allclose(found, slope, rtol=1e-7)

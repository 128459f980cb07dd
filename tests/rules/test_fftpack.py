"""scipy.fftpack's transforms are read as NumPy's."""

import numpy as np
import pytest
from scipy import fftpack
from scipy.fftpack import fft, ifft

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.2, 0.5, 0.3, 0.9])


def spectrum(x):
    return np.sum(np.abs(fft(x) * np.arange(4)) ** 2)


def padded(x):
    return np.sum(np.abs(ifft(fft(x, 6), n=5)) ** 3)


def of_planes(x):
    turned = fftpack.fftshift(fftpack.fft2(np.outer(x, x**2)))
    return np.sum(np.real(fftpack.ifft2(turned)) ** 2)


def of_all_axes(x):
    both = fftpack.ifftn(fftpack.fftn(np.outer(x, x**2)) * np.arange(4))
    return np.sum(np.abs(both) ** 2 * fftpack.fftfreq(4))


@pytest.mark.parametrize("f", [spectrum, padded, of_planes, of_all_axes])
def test_the_derivative(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6, atol=1e-8)

"""import autograd.numpy as np: functions that were written for autograd, as they stand."""

import numpy
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

np = pytest.importorskip("autograd.numpy")
la = pytest.importorskip("autograd.numpy.linalg")
norm = pytest.importorskip("autograd.scipy.stats.norm")
gammaln = pytest.importorskip("autograd.scipy.special").gammaln

X = numpy.array([0.7, 1.2, 0.4, 0.9])


def traced(x):
    w = np.array([1.0, 2.0, 3.0, 4.0])
    return np.sum(np.exp(x) * w) + np.linalg.norm(x) * np.shape(x)[0]


def joined(x):
    y = np.concatenate((x, np.ones(2) * x[0]))
    z = np.vstack([y, np.hstack((x, x[:2]))]) * np.stack([y, y**2])
    return np.sum(np.where(z > 1, z, np.tanh(z))) + np.append(x, x[0])[-1]


def of_scipy(x):
    return np.sum(gammaln(x)) + np.sum(norm.logpdf(x, 0.2, 2.0))


def of_matrices(x):
    A = np.array([[x[0] + 2, 1.0], [x[1], x[2]]])
    return la.slogdet(A)[1] + la.det(np.outer(x, x) + np.pi * np.eye(4))


@pytest.mark.parametrize("f", [traced, joined, of_scipy, of_matrices])
def test_functions_of_autograd_are_those_of_numpy(f):
    want = numeric_gradient(f, [X], 0)
    numpy.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6)
    assert "import autograd" not in gradgen.emit(f)

"""Texts with nothing told of functions that conjugate what they have no gradient in."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def inner(w, p):
    return np.abs(np.vdot(w, np.exp(1j * p))) ** 2


def by_conj(w, p):
    return np.abs(np.sum(np.conj(w) * np.exp(1j * p))) ** 2


def by_method(w, p):
    return np.abs(w.conj() @ np.exp(1j * p))


def on_the_right(w, p):
    return np.real(np.vdot(np.exp(1j * p), w))


def twice(w, p):
    z = np.vdot(w.conj(), np.exp(1j * p))
    return (z * z.conjugate()).real


def transposed(w, p):
    return np.sum(np.abs(np.conj(w.T) @ np.exp(1j * p)) ** 2)


def entries(w, p):
    total = 0j
    for i in range(len(p)):
        total = total + np.conj(w[i]) * np.exp(1j * p[i])
    return abs(total) ** 2


def of_a_spectrum(w, p):
    return np.sum(np.real(np.conj(w) * np.fft.fft(p)))


FUNCTIONS = [inner, by_conj, by_method, on_the_right, twice, transposed, entries]
FUNCTIONS += [of_a_spectrum]


def emitted(function, **options):
    space = {}
    exec(gradgen.emit(function, **options), space)
    return space["grad_" + function.__name__]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("is_complex", [True, False])
def test_what_is_conjugated_may_be_complex(function, is_complex):
    rng = np.random.default_rng(2)
    p = rng.normal(size=4)
    w = rng.normal(size=(4, 4) if function is transposed else 4)
    w = w + 1j * rng.normal(size=w.shape) if is_complex else w
    want = numeric_gradient(function, [w, p], 1).value
    for call in (emitted(function, wrt="p"), gradgen.grad(function, wrt="p")):
        found = call(w, p)
        assert found.shape == p.shape and found.dtype == float
        np.testing.assert_allclose(found, want, 1e-6, 1e-8)


def real(a, b):
    return np.vdot(a, b) ** 2


def test_a_product_of_vectors_stays_one():
    """Where nothing else is complex np.vdot tells nothing."""
    text = gradgen.emit(real, wrt="b")
    assert "np.conj" not in text and "np.real" not in text


def test_what_a_gradient_is_asked_of_is_real_or_told():
    gradient = emitted(inner, wrt=("w", "p"))
    with pytest.raises(ValueError, match="--complex w"):
        gradient(np.ones(3) + 1j, np.ones(3))


def adjoint(A, x):
    return np.sum((A.conj().T @ x) ** 2)


def form(A, x):
    return x @ np.conj(A) @ x


@pytest.mark.parametrize("function", [adjoint, form])
def test_an_adjoint_of_a_matrix_stays_real(function):
    """Nothing makes a real number of what a complex matrix would make of it."""
    rng = np.random.default_rng(3)
    A, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    found = emitted(function, wrt="x")(A, x)
    want = numeric_gradient(function, [A, x], 1).value
    np.testing.assert_allclose(found, want, 1e-6, 1e-9)
    assert found.dtype == float

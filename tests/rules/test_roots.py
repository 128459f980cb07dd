"""Roots of polynomials, and parts of complex arrays that a mask picks.

What flows back to the picked entries of a real part meets complex factors: the zeros
that hold it have to be complex as well.
"""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

P = np.array([1.0, -2.0, 3.0, 1.5])
REAL = np.array([1.0, -6.0, 11.0, -6.0])
X = np.array([0.3, 0.7, 0.9, 1.4])
W = np.fft.fft(np.cos(X))


def first(p):
    return np.real(np.roots(p)[0])


def sizes(p):
    return np.abs(np.roots(p))


def parts(p):
    r = np.roots(p)
    return np.sum(r.imag**2) + np.sum(np.real(r * r * r))


def large(p):
    r = np.roots(p)
    return np.sum(np.real(r)[np.abs(r) > 0.5] ** 2)


def second(p):
    r = np.roots(p)
    return np.extract(np.abs(r) > 0.5, np.real(r))[1]


def nearest(p):
    r = np.roots([p[0], p[1], p[2], p[3]])
    real = np.extract(np.isreal(r), np.real(r))
    return real[np.argmin(np.abs(real - 0.1))]


def cubic(a, b):
    r = np.roots(np.array([1.0, 0.0, a, b]))
    return np.max(r[np.isreal(r)].real)


def imaginary(x):
    picked = np.imag(np.fft.fft(x) * (2 - 1j))[x > 0.5]
    return picked[0] + 2 * picked[1]


def filtered(x):
    picked = np.real(W * np.fft.fft(x))[x > 0.5]
    return picked[0] + 2 * picked[1]


def tripled(x):
    c = x + 1j * x * x
    return np.sum(np.imag(c * c * c)[x > 0.5])


CASES = [
    *((f, (p,)) for f in (first, sizes, parts, large) for p in (P, REAL)),
    (second, (P,)),
    (nearest, (P,)),
    (cubic, (2.0, -0.4)),
    *((f, (X,)) for f in (imaginary, filtered, tripled)),
]


@pytest.mark.parametrize("f, args", CASES)
def test_by_call_and_as_a_text(f, args):
    value = np.asarray(f(*args))
    seed = np.linspace(0.5, 1.5, value.size).reshape(value.shape)[()]
    want = numeric_gradient(lambda *a: np.sum(seed * f(*a)), args, 0).value
    space = {}
    exec(gradgen.emit(f), space)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing drops an imaginary part
        by_call = gradgen.grad(f)(*args, seed=seed)
        by_text = space[f"grad_{f.__name__}"](*args, seed)
    for g in (by_call, by_text):
        assert np.shape(g) == np.shape(args[0]) and not np.iscomplexobj(g)
        assert np.allclose(g, want, rtol=1e-6, atol=1e-8)


def test_two_roots_that_are_one():
    with np.errstate(all="ignore"):
        assert not np.all(np.isfinite(gradgen.grad(first)(np.array([1.0, -2.0, 1.0]))))

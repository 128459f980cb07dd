"""Starred targets of functions with several results: s, *_ = np.linalg.lstsq(A, b)."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(5)
A = rng.normal(size=(4, 3))


def the_first(x):
    s, *_ = np.linalg.lstsq(x, np.ones((4, 2)), rcond=None)
    return np.sum(s**2)


def the_others(x):
    u, *others = np.linalg.svd(x, full_matrices=False)
    return np.sum(others[0] ** 3) + u[0, 0] * 0


def the_last(x):
    *_, value = np.linalg.slogdet(x.T @ x)
    return value


def no_more(x):
    q, r, *more = np.linalg.qr(x)
    return np.sum(r**2) + len(more)


def of_parts(x):
    a, *b = np.split(x, 2)
    return np.sum(a * b[0])


@pytest.mark.parametrize("f", [the_first, the_others, the_last, no_more, of_parts])
def test_several_results(f):
    found, wanted = gradgen.grad(f)(A), numeric_gradient(f, [A], 0, 1.0)
    np.testing.assert_allclose(found, wanted.value, rtol=1e-6, atol=1e-7)


def test_more_names_than_results():
    def f(x):
        a, b, c, *d = np.linalg.qr(x)
        return np.sum(a)

    with pytest.raises(GradgenError, match="GG207"):
        gradgen.grad(f)(A)

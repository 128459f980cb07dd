"""Calls with lengths that a text does not take, and the function does: another is made."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(0)
MAKERS = ("value_and_grad", "vjp", "jvp", "hvp", "jacobian", "hessian")


def ends(x):
    z = x * 2
    z[:2] += z[2:]
    return np.sum(z**2)


def two_ends(x, y):
    z = np.sin(x)
    z[:-1] *= y
    z[:2] -= z[2:] * y[0]
    return np.sum(z**2)


def no_rounds(x):
    g = []
    for i in range(0):
        g.append(x * i)
    return np.sum(np.sum(g, axis=0) + x)


class Scaled:
    def __init__(self, k):
        self.k = k

    def loss(self, x):
        z = x * self.k
        z[:2] += z[2:]
        return np.sum(z**2)


CALLS = {
    ends: [[(4, 2)], [(3, 2)], [(4, 2)], [(3,)], [(4,)]],
    two_ends: [
        [(4,), (3,)],
        [(3,), (2,)],
        [(3, 2), (2, 2)],
        [(3,), (1,)],
        [(4,), (1,)],
    ],
    no_rounds: [[(3,)], [(2, 3)]],
}


def is_right(function, gradient, args, own=()):
    want = numeric_gradient(function, [arg.copy() for arg in args], 0).value
    got = gradient(*own, *(arg.copy() for arg in args))
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("function", CALLS, ids=lambda one: one.__name__)
def test_every_length_is_taken_again_and_again(function):
    gradient = gradgen.grad(function)
    for shapes in CALLS[function] * 2:
        for _ in range(3):  # the second call writes tests into the call itself
            is_right(function, gradient, [R.normal(size=shape) for shape in shapes])


def test_methods():
    own = Scaled(1.5)
    bound, unbound = gradgen.grad(own.loss), gradgen.grad(Scaled.loss, wrt="x")
    for shape in ((4, 2), (3, 2), (4, 2), (3,)):
        x = R.normal(size=shape)
        is_right(own.loss, bound, [x])
        is_right(own.loss, unbound, [x], [own])


@pytest.mark.parametrize("maker", MAKERS)
def test_the_other_makers(maker):
    made = getattr(gradgen, maker)(ends)
    for shape in ((4, 2), (3, 2), (4, 2)):
        x = R.normal(size=shape)
        made(*([x, x] if maker in ("jvp", "hvp") else [x]))


def test_where_the_function_raises_so_does_its_gradient():
    gradient = gradgen.grad(ends)
    gradient(R.normal(size=(4, 2)))
    for shape in ((6, 2), (2, 2)):
        with pytest.raises((ValueError, gradgen.GradgenError)):
            gradient(R.normal(size=shape))

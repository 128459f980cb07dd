"""Calls with lengths that a text does not take, and the function does: another is made."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(0)


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


def padded(x):
    return np.pad(x[:-3], (1, 2)) * 2


def joined(x):
    return np.concatenate([x[:-2] * 2, x[1:3]]) ** 2


def joined_twice(x, y):
    return np.concatenate([x[2:] * 2, np.zeros(2)]) * np.sum(y[-6:2])


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
    padded: [[(4,)], [(2,)], [(3,)], [(1,)], [(5,)]],
    joined: [[(4,)], [(2,)], [(1,)], [(3,)]],
    joined_twice: [[(4,), (3,)], [(1,), (3,)], [(2,), (1,)]],
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


# of the gradient at x along v, and the matrix of second derivatives, each its value
FOUND = {
    "value_and_grad": lambda made, x, v: made(x)[1],
    "vjp": lambda made, x, v: made(x)[1](1.0),
    "jvp": lambda made, x, v: made(x, v)[1],
    "hvp": lambda made, x, v: made(x, v),
    "jacobian": lambda made, x, v: made(x),
    "hessian": lambda made, x, v: np.tensordot(made(x), v, x.ndim),
}


@pytest.mark.parametrize("maker", FOUND)
def test_the_other_makers(maker):
    made = getattr(gradgen, maker)(ends)
    for shape in ((4, 2), (3, 2), (4, 2)):
        x, v = R.normal(size=(2, *shape))
        want = numeric_gradient(ends, [x], 0).value
        if maker == "jvp":
            want = np.sum(want * v)
        elif maker in ("hvp", "hessian"):  # the function is a square
            want = numeric_gradient(ends, [v], 0).value
        np.testing.assert_allclose(FOUND[maker](made, x, v), want, rtol=1e-7, atol=1e-9)


def test_where_the_function_raises_so_does_its_gradient():
    gradient = gradgen.grad(ends)
    gradient(R.normal(size=(4, 2)))
    for shape in ((6, 2), (2, 2)):
        with pytest.raises((ValueError, gradgen.GradgenError)):
            gradient(R.normal(size=shape))

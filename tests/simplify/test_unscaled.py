"""Numbers in front leave solutions and products; what then has the same is one."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(17)
A = DRAWN.normal(0, 1, (3, 3))
S = A @ A.T + 3 * np.eye(3)
E = DRAWN.normal(0, 1, 3)
W = DRAWN.normal(0, 1, (2, 3))
SHAPES = {"S": "n n", "e": "n", "W": "m n"}


def density(S, e, W):
    w = np.linalg.solve(S, e)
    return 0.5 * (e @ w + np.linalg.slogdet(S)[1])


def of_products(S, e, W):
    V = W @ S
    w = np.linalg.solve(S, e)
    return 0.25 * (e @ w) + np.sum(np.tanh(V))


def filtered(S, e, W):
    total = 0.0
    for i in range(2):
        gap = e - W[i]
        w = np.linalg.solve(S, gap)
        total = total + 0.5 * (np.log(np.linalg.det(S)) + gap @ w)
        S = S + np.eye(len(S))
    return total


def thrice(S, e, W):
    w = np.linalg.solve(S, e)
    return 3 * (w @ e) * np.sum(W @ w)


def constants_in_brackets(S, e, W):
    return np.sum(3 * np.trace(S) * (e**4 - e)) + np.sum(W @ S @ W.T)


CASES = [density, of_products, filtered, thrice, constants_in_brackets]
BY_HAND = {
    density: ("d_S = 0.5 * d_out * (np.linalg.inv(S).T - ", "d_w ="),
    filtered: ("d_gap = 0.5 * d_total * (w + flow)", "d_w ="),
    constants_in_brackets: ("3 * d_out * np.trace(S)", "d_out * (3"),
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    found = gradgen.grad(f, wrt=("S", "e", "W"), shapes=shapes)(S, E, W)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [S, E, W], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_dtypes(f):
    given = [one.astype(np.float32) for one in (S, E, W)]
    found = gradgen.grad(f, wrt=("S", "e", "W"), shapes=SHAPES)(*given)
    assert all(one.dtype == np.float32 for one in found)


@pytest.mark.parametrize("f", BY_HAND, ids=lambda f: f.__name__)
def test_as_by_hand(f):
    text = gradgen.emit(f, wrt=("S", "e"), shapes=SHAPES)
    there, gone = BY_HAND[f]
    assert there in text and gone not in text.split("Grad of", 1)[1], text


def test_a_number_leaves_what_is_summed_up():
    def f(x, e):
        risk = np.cumsum(np.exp(x)[::-1])[::-1]
        return -np.sum(e * (x - np.log(risk)))

    shapes = {"x": "n", "e": "n"}
    found = gradgen.emit(f, wrt="x", shapes=shapes)
    assert "d_x = d_out * (np.cumsum(e / risk)" in found
    x, e = np.random.default_rng(2).normal(size=(2, 6))
    got = gradgen.grad(f, wrt="x", shapes=shapes)(x, e)
    truth = numeric_gradient(f, [x, e], 0).value
    np.testing.assert_allclose(got, truth, rtol=1e-7, atol=1e-9)

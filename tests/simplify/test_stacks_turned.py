"""Stacks of matrices: what is transposed twice is not, and views need no names."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RANDOM = np.random.default_rng(8)


def scores(Q, K):
    return np.sum(np.sin(Q @ K.swapaxes(-1, -2) * Q.shape[-1] ** -0.5))


def scores_before(Q, K):
    return np.sum(
        np.sin(np.swapaxes(np.swapaxes(K, -1, -2), -2, -1) @ Q.swapaxes(1, 2))
    )


def turned_product(Q, K):
    return np.sum(np.swapaxes(Q @ np.swapaxes(K, -1, -2), -1, -2) ** 3)


def matrix_and_stack(Q, K):
    return np.sum(np.tanh(np.swapaxes(Q, -1, -2) @ K[0]))


def by_order(Q, K):
    return np.sum(np.sin(Q @ K.transpose(0, 2, 1)))


def turned_by_order(Q, K):
    turned = np.transpose(K, (0, 2, 1))
    return np.sum(np.tanh(np.transpose(Q @ turned, (0, 2, 1)) @ Q) * turned[0, 0, 0])


def heads_of_a_stack(Q, K):
    a, b = (x.reshape(2, 3, 2, -1).transpose(0, 2, 1, 3) for x in (Q, K))
    return np.sum(np.cos(a @ b.transpose(0, 1, 3, 2)) ** 2)


FUNCTIONS = [scores, scores_before, turned_product, matrix_and_stack]
FUNCTIONS += [by_order, turned_by_order, heads_of_a_stack]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("told", [{"Q": "h n d", "K": "h n d"}, {}], ids=["told", ""])
def test_the_gradient_is_that_of_differences(function, told):
    Q, K = RANDOM.normal(size=(2, 3, 4)), RANDOM.normal(size=(2, 3, 4))
    found = gradgen.grad(function, ("Q", "K"), shapes=told)(Q, K)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(function, [Q, K], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


def test_nothing_is_turned_twice():
    text = gradgen.emit(scores, ("Q", "K"), shapes={"Q": "h n d", "K": "h m d"})
    assert "swapaxes(np.swapaxes" not in text and "\n    K_swapaxes =" not in text
    assert "swapaxes(K" not in text.partition("# Grad of")[2].partition("\n")[2]


def test_nothing_is_turned_back_by_its_order():
    text = gradgen.emit(by_order, ("Q", "K"), shapes={"Q": "h n d", "K": "h m d"})
    back = text.partition("# Grad of")[2]
    assert "d_Q = d_inner @ K\n" in back
    assert "d_K = d_inner.swapaxes(-1, -2) @ Q\n" in back

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


FUNCTIONS = [scores, scores_before, turned_product, matrix_and_stack]


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

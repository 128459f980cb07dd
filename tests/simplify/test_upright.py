"""A transpose that the user has named is read by its name, and the numbers stay."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(3)
A = DRAWN.normal(size=(3, 3)) + 4 * np.eye(3)
B = DRAWN.normal(size=(3, 3))


def gain(A, B):
    K = np.linalg.solve(A, B).T
    return np.sum(K @ B @ K) + np.sum(np.tanh(K))


def in_a_loop(A, B):
    total = 0.0
    for _ in range(3):
        K = np.linalg.solve(A, B).T
        B = B + 0.1 * K @ B
        total = total + np.sum(np.sin(K) * B)
    return total


def in_an_arm(A, B):
    product = np.sin(A @ B)
    total = np.sum(product)
    if total > -100:
        K = np.exp(0.1 * A).T
        total = total + np.sum(K @ product @ K)
    return total


def changed(A, B):
    K = (0.3 * A).T
    total = np.sum(K @ B @ K.T)
    K[0, 1] = np.sum(B)
    return total + np.sum(K**2)


def named_twice(A, B):
    K = np.tanh(A / 9).T
    L = np.tanh(A / 9).T
    return np.sum(K @ B @ L) + np.sum(K * L)


def with_an_exit(A, B):
    for t in range(4):
        product = A @ B / 9
        if t == 2:
            break
        K = np.tanh(product).T
        B = K @ B
    return np.sum(B * product)


CASES = [gain, in_a_loop, in_an_arm, changed, named_twice, with_an_exit]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"A": "n n", "B": "n n"}, {}], ids=len)
def test_gradients_are_those_of_differences(f, shapes):
    found = gradgen.grad(f, wrt=("A", "B"), shapes=shapes)(A, B)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [A, B], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("mode", ["forward", "jacobian"])
def test_other_modes(mode):
    if mode == "forward":
        tangents = gradgen.jvp(gain, wrt="A")(A, B, 0.3 * B)
        there, back = gain(A + 3e-7 * B, B), gain(A - 3e-7 * B, B)
        np.testing.assert_allclose(tangents[1], (there - back) / 2e-6, rtol=1e-5)
        return
    text = gradgen.emit(gain, wrt="A", mode=mode)
    assert "def jacobian_gain" in text


def test_the_subexpression_has_no_name():
    text = gradgen.emit(gain, wrt=("A", "B"), shapes={"A": "n n", "B": "n n"})
    assert "K_in" not in text
    assert "K = np.linalg.solve(A, B).T" in text

"""What comes back through a product is summed on the side where it cancels."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def left(a, W, steps):
    for _ in range(steps):
        top = np.max(a)
        a = top + np.log(np.exp(a - top) @ W)
    return np.sum(np.sin(a))


def right(a, W, steps):
    for _ in range(steps):
        top = np.max(a)
        weights = np.exp(a - top)
        a = top + np.log(np.dot(W, weights))
    return np.sum(np.sin(a))


def by_mean(a, W, steps):
    for _ in range(steps):
        middle = np.mean(a)
        a = np.log(np.exp(a - middle) @ W) + middle
    return np.sum(np.sin(a))


def half_of_the_shift(a, W, steps):
    for _ in range(steps):
        top = np.max(a)
        a = 0.5 * top + np.log(np.exp(a - top) @ W)
    return np.sum(np.sin(a))


def turned(a, W, steps):
    for _ in range(steps):
        top = np.max(a)
        a = top + np.log(W.T @ np.exp(a - top)) * a
    return np.sum(np.sin(a))


EACH = (left, right, by_mean, half_of_the_shift, turned)


@pytest.mark.parametrize("function", EACH)
@pytest.mark.parametrize("told", [True, False])
def test_the_gradient_is_that_of_differences(function, told):
    rng = np.random.default_rng(0)
    args = rng.normal(size=4), rng.uniform(0.5, 1.5, (4, 4)), 3
    shapes = {"shapes": {"a": "n", "W": "n n"}} if told else {}
    gradients = gradgen.grad(function, wrt=("a", "W"), **shapes)(*args)
    for place, found in enumerate(gradients):
        expected = numeric_gradient(function, args, place, 1.0).value
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", [left, right, by_mean])
def test_a_shift_that_cancels_leaves_no_trace(function):
    made = gradgen.grad(function, wrt="a", shapes={"a": "n", "W": "n n"})
    back = made.source.split("# Grad of")[1:]
    assert not any("==" in part or "d_top" in part or "mean" in part for part in back)


def test_a_shift_that_does_not_cancel_keeps_its_gradient():
    made = gradgen.grad(half_of_the_shift, wrt="a", shapes={"a": "n", "W": "n n"})
    assert "== top" in made.source

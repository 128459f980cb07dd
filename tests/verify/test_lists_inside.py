"""check_grads takes the gradients that grad returns: lists inside of containers."""

import numpy as np
import pytest

import gradgen


def of_dict(p, x):
    return np.sum(x * p["w"]) * p["c"][1] + p["c"][0] * np.sum(x)


def of_list(p):
    return p[0][0] * p[0][1] ** 2 + np.sum(p[1])


def of_rows(p):
    return np.sum(np.asarray(p["v"]) ** 2) * np.sum(p["w"])


def of_one(v):
    return np.sum(np.asarray(v) ** 2)


W = np.array([1.0, 2.0, 0.5])
CASES = [
    (of_dict, ({"w": W, "c": [1.0, 2.0]}, W)),
    (of_list, (([1.0, 2.0], W),)),
    (of_list, (((1.0, 2.0), W),)),
    (of_rows, ({"v": [1.0, 2.0], "w": W},)),
    (of_rows, ({"v": [[1.0, 2.0], [3.0, 4.0]], "w": W},)),
    (of_one, ([1.0, 2.0],)),
]


@pytest.mark.parametrize("function, args", CASES)
def test_what_grad_returns_is_taken(function, args):
    gradgen.check_grads(function, gradgen.grad(function), args)


def doubled(gradient):
    """A gradient in which each list is wrong."""
    if isinstance(gradient, (list, tuple)) and not isinstance(gradient[0], float):
        return type(gradient)(map(doubled, gradient))
    if isinstance(gradient, dict):
        return {key: doubled(one) for key, one in gradient.items()}
    if isinstance(gradient, np.ndarray):
        return gradient
    return type(gradient)(2 * one for one in gradient)


@pytest.mark.parametrize("function, args", CASES[:4])
def test_a_wrong_list_is_seen(function, args):
    def hand(*given):
        return doubled(gradgen.grad(function)(*given))

    with pytest.raises(gradgen.GradgenError, match="GG601"):
        gradgen.check_grads(function, hand, args)

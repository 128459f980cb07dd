"""A branch's value broadcasts to the largest of its ways, where one is the largest."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(3)


def a_number_or_an_array(x, v, flag):
    c = v if flag else 0.5
    return np.sum(x * c) + np.sum(np.tanh(x) ** 2)


def of_fewer_axes(x, v, flag):
    c = x * 2
    if flag:
        c = v * 3
    return np.sum(c * x)


def stretched_later(x, v, flag):
    c = v if flag else np.ones(3)
    return np.sum(np.sum(x * c, axis=0) * c)


def of_two_sizes(x, v, flag):
    c = v[:1] if flag else v
    return np.sum(c * c) * np.sum(x)


@pytest.mark.parametrize("wrt", ["x", "v"])
@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize(
    "shapes", [{}, {"x": "n 3", "v": "3"}, {"x": "n 3", "v": "<n 3"}]
)
@pytest.mark.parametrize(
    "function", [a_number_or_an_array, of_fewer_axes, stretched_later, of_two_sizes]
)
def test_the_gradient_of_either_way(function, shapes, flag, wrt):
    args = (R.uniform(0.5, 1, (4, 3)), R.uniform(0.5, 1, 3), flag)
    at = ["x", "v"].index(wrt)
    if wrt == "v" and function is of_two_sizes and shapes.get("v", "3") != "3":
        shapes = {**shapes, "v": "3"}
    text = gradgen.emit(function, wrt=wrt, shapes=shapes)
    names: dict = {}
    exec(text, names)
    found = names[f"grad_{function.__name__}"](*args)
    want = numeric_gradient(function, args, at).value
    assert np.shape(found) == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)

"""Arguments that are tuples or lists of numbers by default, with nothing told of them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.5, 1.2, 0.7])
BODIES = [
    "np.sum(x / W)",
    "np.sum(np.multiply(x, W))",
    "np.sum(np.sin(x - W) ** 2)",
    "np.sum(x ** W)",
    "np.sum(np.maximum(x * x, W) / W)",
    "W[0] * np.sum(x) + len(W) * x[0]",
    "np.sum(np.sum(x * np.ones(W), axis=0))",
]


@pytest.mark.parametrize("default", ["(2, 3, 1)", "[2.0, 3.0, 1.0]"])
@pytest.mark.parametrize("body", BODIES)
def test_a_tuple_is_an_array_to_arithmetic(body, default, tmp_path):
    if "np.ones(W)" in body and "." in default:
        default = "(2, 1, 3)"
    f = written(f"def f(x, W={default}):\n    return {body}\n", tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    wanted = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(names["grad_f"](X), wanted, 1e-6, 1e-8)
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, 1e-6, 1e-8)


@pytest.mark.parametrize("repeated", ["W * n", "n * W", "W + W", "W * 2"])
def test_a_tuple_is_repeated_as_a_tuple(repeated, tmp_path):
    f = written(
        f"def f(x, n, W=(2, 1)):\n    return np.sum(np.tile(x, {repeated}) ** 2)\n",
        tmp_path,
    )
    names: dict = {}
    try:
        exec(gradgen.emit(f, shapes={"n": ":int"}), names)
    except gradgen.GradgenError:
        return
    wanted = numeric_gradient(f, [X, 2], 0).value
    np.testing.assert_allclose(names["grad_f"](X, 2), wanted, 1e-6, 1e-8)

"""Choices of which one way or the other is taken need no mask around both."""

import re

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

X = np.array([-3.0, -0.4, 0.3, 0.9, 2.5])
SIGMOID = "np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))"
BODIES = (
    f"return {SIGMOID}",
    f"return np.sum({SIGMOID} ** 2) + np.sum(x)",
    f"s = {SIGMOID}\n    return s * np.log(s) + x * s",
    "return np.where(x > 0, x + np.log1p(np.exp(-x)), np.log1p(np.exp(x)))",
    "m = x > 0\n    return np.where(m, np.sqrt(x * m + 1), 1 / (2 - x)) / (1 + x**2)",
    "p = np.where(x > 0, np.exp(-x) / (1 + np.exp(-x)), np.tanh(x))\n"
    "    return np.where(x > 0, p * x, p / (3 - x)) + x",
)
UNION = re.compile(r"(\w+) \| (~|np\.logical_not\()\1|(~\w+|\w+) \| \3\b")


@pytest.mark.parametrize("body", BODIES)
def test_no_union_of_a_mask_and_the_rest(body, tmp_path):
    function = written(f"def f(x):\n    {body}\n", tmp_path)
    for shapes in ({}, {"x": "n"}):
        assert not UNION.search(gradgen.emit(function, shapes=shapes))
    compare(function, (X,))
    compare(function, (X[:4].reshape(2, 2),), text=False)


@pytest.mark.filterwarnings("ignore")
def test_lanes_that_are_not_chosen_stay_apart(tmp_path):
    function = written(f"def f(x):\n    return np.sum({SIGMOID})\n", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function), made)
    large = np.array([-2000.0, -30.0, 30.0, 2000.0])
    small = np.exp(-np.abs(large))
    want = small / (1 + small) ** 2
    np.testing.assert_allclose(made["grad_f"](large), want, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        gradgen.grad(function)(large), want, rtol=1e-12, atol=1e-15
    )
    assert np.isnan(made["grad_f"](np.array([np.nan, 1.0]))).tolist() == [True, False]

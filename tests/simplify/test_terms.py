"""The normal form of arithmetic: what cancels, adds up, leaves a sum, and in what order."""

import numpy as np
import pytest

import gradgen
from gradgen.ir.text import show
from gradgen.simplify.normal import normal
from tests.frontend.writing import written
from tests.passes.reading import Reading

SHAPES = {"x": "n", "w": "n", "M": "n d", "R": "n 1", "d_x": "n", "d_M": "n d"}

CASES = {
    # equal terms
    "d * X + X * d": "2 * d * X",
    "X * d - d * X + X": "X",
    "3 * X - X": "2 * X",
    # cancelling, and what is left alone
    "d * s / s": "d",
    "d * s / (s * t) * X": "d / t * X",
    "x / x": "x / x",
    # numbers first, then rows, then matrices; adjoints first in a class
    "M * R * d": "d * R * M",
    "M * 2 * s * d_a": "2 * d_a * s * M",
    "X * -d / s": "-d / s * X",
    # numbers
    "0.5 * X * 2": "X",
    "d / 2 / s": "d / (2 * s)",
    "d / 2": "0.5 * d",
    "0.1 * X * 3": "3 * 0.1 * X",
    # repeated factors
    "d * x * x": "d * x**2",
    "d_x * (w / x / x)": "d_x * (w / x / x)",
    # common factors
    "d * x + d * w": "d * (x + w)",
    "a * X + b * X": "(a + b) * X",
    "M / R - x[:, None] / R": "(M - x[:, None]) / R",
    # sums and views are linear
    "np.sum(2 * d * X)": "2 * d * np.sum(X)",
    "np.sum(-M, axis=1, keepdims=True)": "-np.sum(M, axis=1, keepdims=True)",
    "np.sum(R * M, axis=1, keepdims=True)": "R * np.sum(M, axis=1, keepdims=True)",
    "np.sum(R * M, axis=0)": "np.sum(R * M, axis=0)",
    "2 * (0.5 * d * x)[:, None]": "d * x[:, None]",
    # a positive term first
    "-x + w": "w - x",
    "-x - w": "-x - w",
}


@pytest.mark.parametrize("before", CASES)
def test_normal_form(before):
    reading = Reading(SHAPES, frozenset())
    first, second = reading.function(f"d_a = {before}\nd_b = {CASES[before]}").body
    got = normal(first.value, reading.facts)
    assert show(got) == show(second.value)


@pytest.mark.parametrize("before", CASES)
def test_normal_form_is_settled(before):
    reading = Reading(SHAPES, frozenset())
    (let,) = reading.function(f"d_a = {before}").body
    once = normal(let.value, reading.facts)
    assert normal(once, reading.facts) == once


@pytest.mark.parametrize(
    "value",
    ["1 / (1 + np.exp(-x))", "1 / (np.exp(3 - 2 * x) + 1)", "1.0 / (1.0 + np.exp(x))"],
)
def test_the_slope_of_a_logistic_function(value, tmp_path):
    """z * (1 - z): no exponential is kept, and none overflows."""
    text = f"def f(x):\n    z = {value}\n    return np.sum(z * z * z)"
    primal = written(text, tmp_path)
    gradient = gradgen.emit(primal, shapes={"x": "n"}).split("# Grad of: return")[1]
    assert "* (1 - z)" in gradient and "exp" not in gradient.split("d_x = ")[1]
    x = np.array([-800.0, -1.0, 0.3, 800.0])
    with np.errstate(over="ignore"):
        found = gradgen.grad(primal)(x)
    assert not found[[0, 3]].any()
    z = np.vectorize(lambda t: eval(value, {"x": t, "np": np}))(x[1:3])
    inner = [3 * z[k] ** 2 * slope(value, x[1 + k]) for k in range(2)]
    np.testing.assert_allclose(found[1:3], inner, rtol=1e-12)


def slope(value, at):
    """The derivative of a one-argument expression, by a complex step."""
    return eval(value, {"x": at + 1e-30j, "np": np}).imag / 1e-30

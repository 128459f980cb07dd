"""The normal form of arithmetic: what cancels, adds up, leaves a sum, and in what order."""

import pytest

from gradgen.ir.text import show
from gradgen.simplify.normal import normal
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

"""Letters of axes that are taken for one another: none of them stands for itself."""

import itertools

import pytest

from gradgen.facts.axes import Axes
from gradgen.frontend.source.source import find
from gradgen.request.options import Request
from gradgen.shapes.dims import Dim


def three(x, y, z):
    return x


PAIRS = [("n", "d"), ("d", "m"), ("m", "n"), ("d", "n")]
ORDERS = list(itertools.permutations(PAIRS))


@pytest.mark.parametrize("pairs", ORDERS, ids=lambda v: " ".join(a + b for a, b in v))
def test_equations_in_any_order_end(pairs):
    ranks = {"x": 1, "y": 1, "z": 1}
    axes = Axes(ranks, (), find(three), Request("three"))
    assert axes.facts() == {"x": "n", "y": "d", "z": "m"}
    for one, other in pairs:
        axes.learn((Dim.of(one), Dim.of(other)), True)
    assert len(set(axes.facts().values())) == 1


def test_products_of_letters_that_are_one():
    axes = Axes({"x": 1, "y": 1}, (), find(three), Request("three"))
    n, d = Dim.of("n"), Dim.of("d")
    assert axes.learn((n, d * Dim.of(2)), True)
    axes.learn((d, n), True)
    assert set(axes.facts()) == {"x", "y"}

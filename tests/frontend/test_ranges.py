"""Ranges backwards and cut: the numbers that Python's range gives."""

from itertools import product

import pytest

from gradgen.errors import GradgenError
from gradgen.frontend.lower import lower
from gradgen.frontend.source.source import find
from gradgen.ir.nodes import Supply
from tests.frontend.interpreter import run
from tests.frontend.writing import written

TEXT = """
def f(x, a, b, s):
    count = 0
    for _ in range(s if s > 0 else -s):
        count += 1
    n = 0
    total = 0 * x
    for i in {over}:
        n += 1
        total = total * 7 + n * i
    return total
"""
OVERS = [
    "reversed(range(a, b))",
    "reversed(range(b, a, -1))",
    "reversed(range(a, b, 2))",
    "reversed(range(a, b, 3))",
    "reversed(range(b, a, -3))",
    "reversed(range(a, b, s))",
    "reversed(range(0, b, 2))",
    "range(a, b)[:count]",
    "range(b)[1:]",
    "range(b, a, -2)[:count]",
    "range(a, b, 2)[::-1]",
    "range(a, b, 3)[count:]",
    "reversed(range(7)[:count])",
    "reversed(range(1, 9, 3)[:-1])",
    "range(9)[2:-2:3]",
]


@pytest.mark.parametrize("over", OVERS)
def test_a_range_has_pythons_numbers(over, tmp_path):
    function = written(TEXT.format(over=over), tmp_path)
    lowered = lower(find(function), Supply(), {"x": ""})
    for a, b, s in product((-2, 0, 1, 4), (-1, 0, 3, 8), (-3, -1, 1, 2, 5)):
        assert run(lowered, 1, a, b, s) == function(1, a, b, s), (over, a, b, s)


@pytest.mark.parametrize("over", ["range(b)[:a]", "range(b)[a:]", "range(a, b)[::2]"])
def test_a_place_that_may_be_negative_is_refused(over, tmp_path):
    function = written(TEXT.format(over=over), tmp_path)
    with pytest.raises(GradgenError) as caught:
        lower(find(function), Supply(), {"x": ""})
    assert caught.value.code == "GG243"

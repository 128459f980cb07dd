"""The ranks of what np.random makes in __init__, whatever its functions are called."""

import ast

import numpy as np
import pytest
from numpy.random import rand as uniform

from gradgen.frontend.source.ranks import Ranks

NAMES = {"np": np, "uniform": uniform, "sample": np.random.random}


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("np.random.random((n, 4))", 2),
        ("sample((n, 3, 2))", 3),
        ("uniform(n, m)", 2),
        ("0.1 * np.random.randn(n, m)", 2),
        ("np.zeros((n, 4, 3))", 3),
    ],
)
def test_ranks_of_arrays_that_functions_of_random_make(text, rank):
    node = ast.parse(text, mode="eval").body
    found = Ranks(NAMES, "self", set(), {}).fact(node)
    assert found is not None
    assert len(found.split()) == rank

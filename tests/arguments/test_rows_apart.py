"""Lists whose items a loop takes apart may be empty, with nothing told."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

SOURCES = {
    "pairs": """
        def f(r, terms):
            v = 0.0
            for c, m in terms:
                v += c * np.exp(-m * r)
            return v + r**2
        """,
    "numbered": """
        def f(r, terms):
            v = r**2
            for i, (c, m, k) in enumerate(terms):
                v = v + c * r ** (i + 1) * m + k
            return v
        """,
    "two of them": """
        def f(r, terms, more=()):
            v = r**2
            for c, m in terms:
                v = v + np.sin(c * r) * m
            for c, m in terms:
                v = v + np.cos(c * r) * m
            return v
        """,
}
TERMS = {2: [(0.5, 1.2), (0.7, 0.1), (1.5, 0.4)], 3: [(0.5, 1.2, 2.0), (0.7, 0.1, 1.0)]}


@pytest.mark.parametrize("name", SOURCES)
def test_empty_lists_and_others(name, tmp_path):
    function = written(SOURCES[name], tmp_path)
    terms = TERMS[3 if name == "numbered" else 2]
    for given in (terms, [], np.array(terms), terms[:1]):
        compare(function, (0.8, given))


@pytest.mark.parametrize("name", SOURCES)
def test_other_ranks_raise(name, tmp_path):
    made: dict = {}
    exec(gradgen.emit(written(SOURCES[name], tmp_path)), made)
    for given in (np.ones(3), np.ones((2, 3 if name == "numbered" else 2, 2))):
        with pytest.raises((ValueError, TypeError)):
            made["grad_f"](0.8, given)


def test_what_is_used_as_a_matrix_is_looked_at(tmp_path):
    source = """
        def f(r, terms, i):
            v = np.sum(terms @ terms.T) * r
            for c, m in terms:
                v += c * np.exp(-m * r)
            return v + terms[i][0]
        """
    text = gradgen.emit(written(source, tmp_path))
    assert "np.ndim(terms) != 2" in text

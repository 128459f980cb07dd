"""Arguments that change something are read once, whichever way a call is taken."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X = np.array([0.5, 0.8, 1.7])

# g(v) changes y[0] and gives an array, h(v) gives a number
TAKEN = [
    "len(g(x[1]))",
    "abs(h(x[1]))",
    "float(h(x[1]))",
    "max(g(x[1]))",
    "max(h(v) for v in x)",
    "min(h(x[1]), h(x[2]))",
    "sum(g(x[1]))",
    "sum(map(h, x))",
    "sorted(g(x[1]))[0]",
    "list(g(x[1]))[1]",
    "list(map(h, x))[1]",
    "len(list(map(h, x)))",
    "collections.deque(g(x[1]))[0]",
    "collections.Counter({'a': h(x[1])})['a']",
    "functools.reduce(lambda a, b: a * b, g(x[1]))",
    "sum(a * b for a, b in itertools.combinations(g(x[1]), 2))",
    "(2.0 if isinstance(h(x[1]), float) else 3.0)",
    "(2.0 if any(g(x[1]) > 0) else 3.0)",
]
HEAD = """import collections
import functools
import itertools

import numpy as np


def f(x):
    y = x * 1.0
    def g(v):
        y[0] *= 1.5
        return v * x
    def h(v):
        y[0] *= 1.5
        return v * y[1]
"""


@pytest.mark.parametrize("taken", TAKEN)
def test_what_an_argument_changes_is_changed_once(taken):
    f = imported(f"{HEAD}    t = {taken}\n    return t * y[0] + y[0] ** 2\n", "f")
    want = numeric_gradient(f, [X], 0).value
    value, got = gradgen.value_and_grad(f)(X.copy())
    np.testing.assert_allclose(value, f(X.copy()), rtol=1e-12)
    assert got.shape == X.shape and got.dtype == np.float64
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


BOUND = [
    "if x[0] > 9:\n        p = x[:2]",
    "for v in x:\n        if v > 1:\n            p = x[:2]",
    "k = 0\n    while k < x[0]:\n        p = x[k : k + 2]\n        k = k + 1",
]


@pytest.mark.parametrize("bound", BOUND)
def test_a_name_that_may_hold_its_default_yet_is_no_pattern_s(bound):
    text = f"""import numpy as np


def f(x, p=(1.0, 2.0)):
    {bound}
    match p:
        case (a, b):
            return a * b * x[0]
        case _:
            return x[1] ** 3
"""
    codes = [one.code for one in refusal(imported(text, "f")).problems]
    assert "GG262" in codes

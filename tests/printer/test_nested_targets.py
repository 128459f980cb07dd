"""Targets with tuples in them: each line that takes items apart has as many names."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = """
import numpy as np

TABLE = np.array([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0], [13.0, 17.0]])
PAIRS = np.array([[0, 1], [1, 2], [2, 0]])
WEIGHTS = np.array([0.3, 0.7, 1.1])
BOXES = [((0, 1), 2.0), ((1, 2), 3.0)]


def f(x):
    total = 0.0
"""
BODIES = [
    "for i, (a, b) in enumerate(TABLE):\n    total += (a + 2 * b) * x[i] ** 2",
    "for (a, b), w in zip(TABLE, WEIGHTS):\n    total += (a + 2 * b) * w * x[0] ** 2",
    "for w, (a, b) in zip(WEIGHTS, TABLE):\n    total += (a + 2 * b) * w * x[0] ** 2",
    "for i, [a, b] in enumerate(TABLE):\n    total += (a + 2 * b) * x[i] ** 2",
    "for i, (w, (a, b)) in enumerate(zip(WEIGHTS, TABLE)):\n"
    "    total += (a + 2 * b) * w * x[i] ** 2",
    "for (a, b), (i, j) in zip(TABLE, PAIRS):\n    total += (a + 2 * b) * x[i] * x[j]",
    "for (i, j), w in zip(PAIRS, WEIGHTS):\n    total += w * x[i] ** 2 * x[j]",
    "for (i, j), w in BOXES:\n    total += w * x[i] ** 2 * x[j]",
    "for i, (_, b) in enumerate(TABLE):\n    total += b * x[i] ** 2",
    "rows = TABLE * x[0]\nfor i, (a, b) in enumerate(rows):\n    total += a * b * x[i]",
    "w, (a, b) = x[3], x[:2] * x[1:3]\ntotal += a * b * w",
    "(a, b), (c, d) = TABLE[:2] * x[:2]\ntotal += a * b * c + d",
    "for i, (a, *rest) in enumerate(TABLE):\n    total += a * rest[0] * x[i] ** 2",
]
X = np.array([0.7, -1.2, 0.4, 1.9])


@pytest.mark.parametrize("shapes", [{}, {"x": "n"}, {"x": "4"}])
@pytest.mark.parametrize("body", BODIES)
def test_gradient(body, shapes):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    f = imported(HEAD + lines + "    return total\n", "f")
    space = {}
    exec(gradgen.emit(f, shapes=shapes), space)
    want = numeric_gradient(f, (X,), 0)
    got = space["grad_f"](X)
    assert got.shape == X.shape and got.dtype == X.dtype
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-9)

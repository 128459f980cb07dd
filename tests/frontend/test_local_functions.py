"""Getters, classes and modules by local names; casts; starred lists that loops fill."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.5, 1.2, 0.7])
HEAD = """import operator
from functools import reduce
from operator import itemgetter
from typing import Optional, Union

import numpy as np

second = itemgetter(1)
Floats = Union[np.float64, np.float32]
Either = np.float64 | np.float32


def namespace(x):
    return np


def squares(*values):
    total = 0.0
    for value in values:
        total = total + value * value
    return total


def f(x, dtype=None):
"""
BODIES = [
    "get = operator.itemgetter(0)\nreturn get(x) ** 2",
    "return second((x, x[0] * 2))",
    "first, last = itemgetter(0, -1)([x[0], x[1]])\nreturn first * last",
    "a, b = x[0], x[1]\nreturn a * b",
    "a, b = (x[i] for i in range(2))\nreturn a * b",
    "[a, b] = [x[0], x[1]]\nreturn a * b",
    "get = operator.attrgetter('T')\nreturn np.sum(get(x) ** 2)",
    "y = np.array(x, dtype=np.float64, copy=False)[:2]\nreturn np.sum(y * y)",
    "y = np.asarray(x, dtype=float, copy=None)\nreturn np.sum(y * y)",
    "y = np.array(x, dtype=float, order='C')\nreturn np.sum(np.atleast_1d(y) ** 3)",
    "if dtype is None:\n    dtype = np.float64\n"
    "assert dtype in Floats.__args__\nreturn np.sum(np.asarray(x, dtype) ** 2)",
    "if isinstance(x[0], Floats):\n    return x[0] * x[1]\nreturn x[2]",
    "if np.float64 in Either.__args__:\n    return x[0] * x[1]\nreturn x[2]",
    "xp = namespace(x)\nreturn xp.sum(xp.sin(x))",
    "xp = np\nreturn xp.linalg.norm(x) * xp.pi",
    "ys = []\nfor i in range(3):\n    ys.append(np.sin(x[i]))\nreturn squares(*ys)",
    "ys = []\nfor i in range(2):\n    ys.append(np.sin(x + i))\n"
    "return np.sum(reduce(np.kron, [*ys]))",
    "ys = [x[i] ** 2 for i in range(3)]\nreturn max(*ys)",
]


@pytest.mark.parametrize("body", BODIES)
def test_gradient(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    f = imported(HEAD + lines, "f")
    want = numeric_gradient(f, (X,), 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-9)

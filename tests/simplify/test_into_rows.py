"""Entries of rows: added where they belong, with no row of zeros, or as measured."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# the lines, and whether no row is made
LINES = {
    "two entries": (
        "for i in range(len(u)):\n        p = u[i]\n        s += p[0] * p[1]",
        True,
    ),
    "of rows": ("for p in u:\n        s += p[0] * p[1] ** 2", True),
    "twice": ("for p in u:\n        s += p[0] * p[1] + p[0] ** 3", True),
    "from the end": ("for p in u:\n        s += p[0] * p[-1] ** 2", False),
    "parts": ("for p in u:\n        s += np.sum(p[:1]) * np.sum(p[1:] ** 2)", True),
    "parts that meet": (
        "for p in u:\n        s += np.sum(p[:2]) * np.sum(p[1:] ** 2)",
        False,
    ),
    "two rows": (
        "for p, q in zip(u[:-1], u[1:]):\n        s += p[0] * q[1] - q[0] * p[1]",
        True,
    ),
    "a row of a row": (
        "for i in range(2):\n        p = u[i]\n        s += p[i] * p[2] ** 2",
        False,
    ),
    "stored to": (
        "u = u * 1.0\n    for i in range(1, len(u)):\n        p = u[i]\n"
        "        p[0] = u[i - 1][1] * p[2]\n        p[1] *= p[0]\n    s += np.sum(u)",
        True,
    ),
    "added twice": (
        "for i in range(len(u)):\n        for j in range(i):\n            r = u[i] - u[j]\n"
        "            s += np.sqrt(r[0] ** 2 + r[1] ** 2)",
        False,
    ),
    "less": (
        "for i in range(len(u)):\n        p = u[i]\n        q = -p\n        s += q[0] * q[1]",
        True,
    ),
    "whole and an entry": ("for p in u:\n        s += p[0] * np.sum(p * p)", False),
    "of three axes": (
        "v = u.reshape(2, 2, 3)\n    for i in range(2):\n        a = v[i]\n"
        "        s += a[0, 0] * a[1, 2] + a[0, 1] ** 2",
        True,
    ),
    "no loop": ("p = u[1]\n    q = u[2]\n    s += p[0] * p[1] * q[2] + q[0]", True),
}


@pytest.mark.parametrize(
    "told", [{}, {"u": "n d"}, {"u": "n 3"}], ids=["", "n d", "n 3"]
)
@pytest.mark.parametrize("case", LINES)
def test_as_measured(case, told, tmp_path):
    lines, is_short = LINES[case]
    f = written(f"def f(u):\n    s = 0.0\n    {lines}\n    return s\n", tmp_path)
    text = gradgen.emit(f, "u", shapes=told)
    if is_short and "u" in told:
        assert text.count("np.zeros") <= (1 if "zip" not in lines else 3), text
    space: dict = {}
    exec(text, space)
    u = np.random.default_rng(5).normal(size=(4, 3))
    for dtype in (float, np.float32):
        found = space["grad_f"](u.astype(dtype))
        assert found.shape == u.shape and found.dtype == dtype
        want = numeric_gradient(f, (u,), 0).value
        tolerance = 1e-6 if dtype is float else 1e-4
        np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance)

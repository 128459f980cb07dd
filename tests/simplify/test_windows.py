"""Loops over parts of an array, x[1:] beside x[:-1]: by places of the array itself."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# the lines, and whether the gradient is of x by its own places
LINES = {
    "a part": ("for v in x[1:]:\n        s = s * 0.5 + np.sum(v * v)", True),
    "pairs": ("for p, q in zip(x[:-1], x[1:]):\n        s += np.sum(p * q**2)", True),
    "three": (
        "for p, q, r in zip(x, x[1:], x[2:]):\n        s += np.sum((p - 2 * q + r) ** 2)",
        True,
    ),
    "the end left out": ("for v in x[:-2]:\n        s = s * 0.5 + np.sum(v**2)", True),
    "both ends": ("for v in x[1:-1]:\n        s = s * 0.5 + np.sum(v**2)", True),
    "beside others": ("for v, u in zip(x[1:], y):\n        s += np.sum(v * u)", True),
    "others first": ("for u, v in zip(y, x[1:]):\n        s += np.sum(v * u)", True),
    "counted": ("for t, v in enumerate(x[1:]):\n        s += np.sum(t * v**2)", True),
    "counted from 2": (
        "for t, v in enumerate(x[1:], 2):\n        s += np.sum(t * v**2)",
        None,
    ),
    "until": (
        "for v in x[1:]:\n        if np.sum(v) > 2.0:\n            break\n        s += np.sum(v * v)",
        True,
    ),
    "entries": ("for p, q in zip(x[:-1], x[1:]):\n        s += p[0] * q[1]", True),
    "by name": (
        "rest = x[1:]\n    for v in rest:\n        s = s * 0.5 + np.sum(v * v)",
        None,
    ),
    "read besides": (
        "for v in x[1:]:\n        s += np.sum(v * v)\n    s *= np.sum(x[1:])",
        None,
    ),
    "steps": ("for v in x[1::2]:\n        s = s * 0.5 + np.sum(v * v)", None),
    "from the end": ("for v in x[-2:]:\n        s = s * 0.5 + np.sum(v * v)", None),
    "up to": ("for v in x[:2]:\n        s = s * 0.5 + np.sum(v * v)", None),
    "none": ("for v in x[:0]:\n        s += np.sum(v * v)\n    s += np.sum(x)", None),
    "more than there are": (
        "for v in x[9:]:\n        s += np.sum(v * v)\n    s += np.sum(x)",
        None,
    ),
    "changed in the loop": (
        "x = x.copy()\n    for p, q in zip(x[:-1], x[1:]):\n        s += np.sum(p * q)\n        q *= 0.5",
        None,
    ),
    "bound anew in the loop": (
        "for p, q in zip(x[:-1], x[1:]):\n        s += np.sum(p * q)\n        x = x * 0.5",
        None,
    ),
    "changed before": (
        "x = x.copy()\n    x[1] *= 2.0\n    for p, q in zip(x[:-1], x[1:]):\n        s += np.sum(p * q)",
        None,
    ),
    "nested": (
        "for p in x[1:]:\n        for q in x[:-1]:\n            s += np.sum(p * q**2)",
        True,
    ),
    "how many": (
        "n = 0\n    for v in x[1:]:\n        n += 1\n        s += np.sum(v * v)\n    s *= n",
        None,
    ),
    "strictly": (
        "for p, q in zip(x[:-1], x[1:], strict=True):\n        s += np.sum(p * q**2)",
        None,
    ),
    "the index later": (
        "for i, v in enumerate(x[1:]):\n        s += np.sum(v * v)\n    s *= np.sum(x[i])",
        None,
    ),
}


@pytest.mark.parametrize(
    "told", [{}, {"x": "n", "y": "m"}, {"x": "n d", "y": "m d"}], ids=str
)
@pytest.mark.parametrize("case", LINES)
def test_as_measured(case, told, tmp_path):
    lines, by_places = LINES[case]
    if case == "entries" and told.get("x") == "n":
        told = {"x": "n 2"}
    text = f"def f(x, y):\n    s = 0.0\n    {lines}\n    return s\n"
    f = written(text, tmp_path)
    text = gradgen.emit(f, "x", shapes=told)
    assert not by_places or "inner" not in text, text
    space: dict = {}
    exec(text, space)
    rng = np.random.default_rng(5)
    vectors, matrices = ((5,), (3,)), ((5, 2), (4, 2))
    for shapes in [vectors] if told.get("x") == "n" else [matrices]:
        x, y = (rng.normal(size=shape) for shape in shapes)
        if not told and "taken for a vector" in text:
            x, y = rng.normal(size=5), rng.normal(size=3)
        want = numeric_gradient(f, (x, y), 0).value
        for found in (space["grad_f"](x.copy(), y), gradgen.grad(f)(x.copy(), y)):
            assert found.shape == x.shape
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize(
    "case", ["a part", "pairs", "three", "beside others", "both ends"]
)
def test_short(case, length, tmp_path):
    text = f"def f(x, y):\n    s = 0.0\n    {LINES[case][0]}\n    return s\n"
    f = written(text, tmp_path)
    x, y = np.arange(1.0, 1.0 + length), np.array([0.5, -1.5])
    found = gradgen.grad(f)(x, y)
    assert found.shape == x.shape
    np.testing.assert_allclose(found, numeric_gradient(f, (x, y), 0).value, rtol=1e-6)

"""Gradients in which sums cancel, parts are placed, entries stay and choices merge."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(44)
HEAD = """
import numpy as np

def sigmoid(x):
    return 1 / (1 + np.exp(-x))
"""
ORDER = np.array([2, 0, 1, 1])
X = RNG.uniform(0.2, 0.9, (4, 4))
# a function of x, y and k, and a line of its gradient
CASES = {
    "logistic": (
        "np.mean(-y * np.log(sigmoid(x @ w)) - (1.0 - y) * np.log(1.0 - sigmoid(x @ w)))",
        "",
    ),
    "poisson": ("np.sum(np.exp(x @ w) - y * np.log(np.exp(x @ w)))", ""),
    "contrast": (
        "np.mean(np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))"
        " - np.diag(x - x.max(axis=1, keepdims=True)))",
        "",
    ),
    "labels": (
        "np.sum(y * (np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))"
        " - (x - x.max(axis=1, keepdims=True))[np.arange(len(x)), k]))",
        "",
    ),
    "other_rows": (
        "np.sum(np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))"
        " - (x - x.max(axis=1, keepdims=True))[k, k])",
        "hits",
    ),
    "twice": (
        "np.sum(np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))"
        " - 2 * np.diag(x - x.max(axis=1, keepdims=True)))",
        "hits",
    ),
    "choices": ("np.sum(np.where(x > 0.5, x * np.exp(x), np.sin(x) * np.log(x)))", ""),
    "powers": ("np.sum(((0.9 / x) ** 6 - (0.9 / x) ** 3) * y)", ""),
    "lengths": ("np.sum(x / np.maximum(np.linalg.norm(x, axis=1)[:, None], 1.0))", ""),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("told", [True, False])
def test_right_in_value_shape_and_dtype(name, told, tmp_path):
    source, kept = CASES[name]
    text = f"{HEAD}\ndef f(x, y, w, k):\n    return {source}\n"
    (tmp_path / "cancelled.py").write_text(text)
    names: dict = {}
    exec(text, names)
    shapes = {"x": "n n", "y": "n", "w": "n", "k": "n:int"} if told else {}
    wrt = "w" if "@ w" in source else "x"
    emitted = gradgen.emit(f"{tmp_path / 'cancelled.py'}:f", wrt=wrt, shapes=shapes)
    assert not told or bool(kept) == ("hits" in emitted)
    args = X, np.array([0.5, 1.0, 0.2, 0.7]), RNG.normal(size=4), ORDER
    at = "xywk".index(wrt)
    want = numeric_gradient(names["f"], args, at).value
    made: dict = {}
    exec(emitted, made)
    for dtype, rtol in ((np.float64, 1e-6), (np.float32, 2e-3)):
        got = made["grad_f"](*(one.astype(dtype) for one in args[:3]), ORDER)
        assert got.shape == args[at].shape and got.dtype == dtype
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol / 10)


PARTS = ["1:", ":-1", "1:-1", "2:", ":-3", ":", "::2", "0:2"]


@pytest.mark.parametrize("outer", PARTS)
def test_parts_of_parts_at_all_lengths(outer, tmp_path):
    for i, inner in enumerate(PARTS):
        text = "import numpy as np\n\ndef f(x):\n"
        text += f"    gap = x[{outer}] * 0.5\n    part = gap[{inner}]\n"
        text += f"    more = x[{inner}]\n    return np.sum(part**3) + np.sum(more[{outer}] ** 2)\n"
        file = tmp_path / f"parts_{i}.py"
        file.write_text(text)
        names: dict = {}
        exec(text, names)
        exec(gradgen.emit(f"{file}:f", shapes={"x": "n"}), names)
        for length in (1, 2, 3, 4, 7):
            x = RNG.normal(size=length)
            got = names["grad_f"](x.copy())
            want = numeric_gradient(names["f"], (x,), 0).value
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)


STEPS = [
    "u[1:-1] = u[1:-1] + k * (u[2:] - u[:-2])",
    "u[1:-1] = k * (u[2:] + u[:-2]) + u[1:-1]",
    "u[1:] = u[1:] - k * u[:-1] ** 2",
    "u[1:-1] = 2 * u[1:-1] + k * u[2:]",
    "u[1:-1] = u[1:-1] * k + u[:-2]",
]


@pytest.mark.parametrize("step, other", [*itertools.product(STEPS, STEPS[:2])])
def test_entries_that_stay(step, other, tmp_path):
    text = "import numpy as np\n\ndef f(u0, k):\n    u = u0.copy()\n"
    text += f"    for i in range(3):\n        {step}\n        {other}\n"
    text += "    return np.sum(np.sin(u))\n"
    (tmp_path / "steps.py").write_text(text)
    names: dict = {}
    exec(text, names)
    shapes = {"u0": "n", "k": ""}
    emitted = gradgen.emit(f"{tmp_path / 'steps.py'}:f", wrt=("u0", "k"), shapes=shapes)
    exec(emitted, names)
    args = RNG.normal(size=6), 0.3
    for at, got in enumerate(names["grad_f"](*args)):
        want = numeric_gradient(names["f"], args, at).value
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)

"""Where x[key] has the axes of index arrays: gradients of what depends on it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.random.default_rng(3).normal(size=(3, 4, 5, 2))
ROWS = np.array([1, 0, 1])
MASK = np.array([True, False, True])
BOTH = np.random.default_rng(4).normal(size=(4, 5)) > 0

# NumPy's shape of x[key] is that of the value: no list of them is needed here.
KEYS = [
    "0, :, [1, 3]",
    "[1, 2], :, 0",
    "0, ..., [0, 1]",
    "0, None, [1, 3]",
    ":, 0, ..., [[0, 1], [1, 0]], 0",  # ... stands for no axis, and counts
    ":, 0, [1, 3]",
    "..., 0, [0, 1]",
    "rows, :, 1",
    "rows, :, np.array(1)",
    "rows[:, None], ..., [0, 1]",
    "mask, :, 0",
    "0, :, :, mask[:2]",
    "0, both, :",
    ":, both, 0",
    "[1], both",
    "True",
    "0, True",
    "[True, False, True], :, [0, 1]",
    "[True, False, False], :, [1, 0], None",
    "-1, ::2, np.arange(3)",
    "(0, 1), :, 0",
    "np.ix_([0, 1], [1, 2])",
]
USES = [
    "np.mean(v, axis=0)",
    "np.concatenate([v, v * v], axis=-1)",
    "v - np.max(v, axis=-1, keepdims=True)",
    "v @ np.cos(np.arange(v.shape[-1]))",
    "np.var(v, axis=0)",
]


def measured(text, tmp_path, args, facts):
    function = written(text, tmp_path)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    made = gradgen.grad(function, wrt="x", shapes=facts)
    value = function(*args)
    seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
    found = made(*args, seed=seed)
    want = numeric_gradient(function, args, names.index("x"), seed).value
    assert found.shape == want.shape and found.dtype == want.dtype
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8, err_msg=made.source)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("key", KEYS)
def test_axes_of_index_arrays(key, use, tmp_path):
    text = f"def f(x, rows, mask, both):\n    v = x[{key}]\n    return {use}\n"
    args = (X, ROWS, MASK, BOTH)
    kinds = {"rows": "r:int", "mask": "n:bool", "both": "a b:bool"}
    for facts in ({"x": "n a b c"} | kinds, {"x": "n a b c"}, {}):
        measured(text, tmp_path, args, facts)


@pytest.mark.parametrize("sign", ["=", "+=", "*="])
@pytest.mark.parametrize(
    "key, value",
    [
        ("0, :, [1, 3]", "y"),
        ("[1, 0], :, 0", "y * y"),
        ("0, ..., [0, 1]", "np.mean(y) * np.ones((2, 1, 1))"),
        ("mask, :, 0", "y"),
        (":, both, 0", "np.sum(y)"),
        ("0, None, [1, 3]", "np.sum(y) * x[1, :2][:, None]"),
    ],
)
def test_stores(key, value, sign, tmp_path):
    text = (
        "def f(x, y, mask, both):\n    z = x * x\n"
        f"    z[{key}] {sign} {value}\n    return z * np.cos(x)\n"
    )
    y = np.random.default_rng(5).normal(size=(2, 4, 2))
    told = {"x": "n a b c", "mask": "n:bool", "both": "a b:bool"}
    for facts in (told, {}):
        measured(text, tmp_path, (X, y, MASK, BOTH), facts)

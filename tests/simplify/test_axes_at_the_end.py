"""Reductions of the last axes, of arrays of which nothing is told.

What flows back has an axis less, or is one number for all: counted from the end, what
broadcasts to the reduction broadcasts to the array with these axes put back.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

ONE = [
    "np.sum(x**2, axis=-1)",
    "np.mean(x, axis=-1)",
    "np.sqrt(np.mean(x**2, axis=-1))",
    "np.linalg.norm(x * w, axis=-1)",
    "np.max(x, axis=-1)",
    "np.std(x, axis=-1)",
    "np.var(x, axis=-1)",
    "np.prod(x, axis=-1)",
    "np.trapezoid(x, w, axis=-1)",
    "3 * np.mean(x * w, axis=-1) - np.log(np.sum(np.exp(x), axis=-1))",
    "np.sum(x * w, axis=-1) / np.linalg.norm(x, axis=-1) / np.linalg.norm(w, axis=-1)",
]
TWO = [
    "np.mean(x, axis=(-2, -1))",
    "np.sum(x**3, axis=(-2, -1))",
    "np.std(x, axis=(-2, -1))",
    "np.linalg.det(x[..., :3] + 2 * np.eye(3))",
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("result", ONE + TWO)
def test_seeds_are_numbers_or_arrays(tmp_path, result, dtype):
    f = written(f"def f(x, w):\n    return {result}\n", tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    w = np.array([0.3, 0.9, 1.4], dtype)
    for shape in ((3,), (3, 3), (2, 3, 3), (1, 2, 3, 3), (2, 1, 3, 3)):
        if result in TWO and len(shape) < 2:
            continue
        x = np.random.default_rng(len(shape)).uniform(0.4, 1.6, shape).astype(dtype)
        out = np.shape(f(x, w))
        seed = np.resize(np.linspace(0.5, 1, 9), out).astype(dtype)
        seeds = [1.0, 2, np.ones(out, dtype), seed]
        seeds += [seed[..., :1]] if out else []
        for seed in seeds:
            found = names["grad_f"](x, w, seed)
            full = np.broadcast_to(np.asarray(seed, float), out)
            true = numeric_gradient(f, [x.astype(float), w.astype(float)], 0, full)
            near = 1e-6 if dtype is np.float64 else 2e-4
            np.testing.assert_allclose(found, true.value, rtol=near, atol=near / 9)
            assert found.dtype == dtype and found.shape == x.shape


def test_the_text_makes_no_sum_for_its_shape(tmp_path):
    f = written("def f(x):\n    return np.sum(x**2, axis=-1)\n", tmp_path)
    text = gradgen.emit(f)
    assert (
        "d_x = 2 * np.asarray(d_out, dtype=np.result_type(x, 0.0))[..., None] * x"
        in text
    )
    f = written("def f(x):\n    return np.mean(x**2, axis=0)\n", tmp_path)
    assert "d_x = 2 / np.shape(x)[0] * d_out * x" in gradgen.emit(f)


def test_axes_of_what_broadcasts_are_none_of_its_own(tmp_path):
    text = "np.sum(a * b, axis=-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1))"
    f = written(f"def f(a, b):\n    return {text}\n", tmp_path)
    text = gradgen.emit(f)
    assert "_unbroadcast" not in text
    names: dict = {}
    exec(text, names)
    a = np.random.default_rng(1).normal(size=(2, 3, 4))
    for b in (a + 1, a[0] + 1, a[0, 0] + 1, a[:, :1] + 1, a[..., :1] + 1):
        found = names["grad_f"](a, b)
        true = numeric_gradient(f, [a, b], 0, np.ones((2, 3))).value
        np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)

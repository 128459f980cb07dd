"""Deviations from means along an axis, times what is level along it or is not."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

AXES = ["axis=0", "axis=1, keepdims=True", "axis=-1, keepdims=True", "axis=None"]
FACTORS = {
    "a number": "1.3",
    "a row": "c[0]",
    "a column": "c[:, :1]",
    "entries": "c",
    "its own spread": "np.sqrt(np.sum(d**2, axis=0))",
    "the spread of rows": "np.sqrt(np.sum(d**2, axis=1, keepdims=True))",
}
OUTS = ["np.sum(d**2 * k)", "np.sum((d * k) ** 3)", "np.sum(np.sin(d / k) * c)"]


@pytest.mark.parametrize("shape", [(3, 3), (4, 3)])
@pytest.mark.parametrize("axis, factor", itertools.product(AXES, FACTORS))
def test_the_gradient_is_that_of_differences(axis, factor, shape, tmp_path):
    rng = np.random.default_rng(5)
    x, c = rng.normal(size=shape), rng.uniform(0.5, 1.5, size=shape)
    for i, out in enumerate(OUTS):
        text = f"def f(x, c):\n    d = x - x.mean({axis})\n    k = {FACTORS[factor]}\n"
        f = written(text + f"    return {out}", tmp_path, f"primal_{i}")
        want = numeric_gradient(f, [x, c], 0).value
        names = {}
        exec(gradgen.emit(f, shapes={"x": "n m", "c": "n m"}), names)
        for found in (gradgen.grad(f)(x, c), names["grad_f"](x, c)):
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_what_is_level_is_not_centred_again(tmp_path):
    text = """
        def f(x, y):
            p = x - x.mean(axis=0)
            t = y - y.mean(axis=0)
            return np.sum((p * t).sum(axis=0) / np.sqrt((p**2).sum(axis=0)))
        """
    told = {"x": "n m", "y": "n m"}
    text = gradgen.emit(written(text, tmp_path), shapes=told)
    assert text.count("mean(") == 2 + text.count("Grad of: p")  # and in a comment

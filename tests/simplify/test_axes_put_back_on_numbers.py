"""A text of which nothing is told, for a vector whose only axis is reduced.

What flows back is then the seed times arguments, a number of Python's in what
_unbroadcast hands back, and d_out[..., None] of a number raises TypeError.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.4, 0.9, 1.3])
RESULTS = [
    "np.sum(x, axis=-1) * a",
    "a * (np.mean(x, axis=(-1,)) - b)",
    "np.linalg.norm(x, axis=-1) * a - b",
    "np.max(x, axis=-1) - a * b",
    "a * np.sin(np.sum(x * x, axis=-1)) + x[..., 0]",
]


@pytest.mark.parametrize("result", RESULTS)
def test_the_text_takes_vectors_and_matrices(tmp_path, result):
    f = written(f"def f(x, a=2, b=1.5):\n    return {result}\n", tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    for x in (X, np.stack([X, X + 1])):
        for more in ((), (3,), (2.5, 1), (np.float64(0.5), 2)):
            seed = np.linspace(0.5, 1, len(x)) if x.ndim > 1 else 1.0
            found = names["grad_f"](x, *more, d_out=seed)
            true = numeric_gradient(f, [x, *more], 0, seed).value
            np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
            assert found.dtype == x.dtype and found.shape == x.shape

"""Where a function goes by an argument's rank, no rank is assumed of it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

TESTS = ["x.ndim == 2", "np.ndim(x) == 2", "len(x.shape) == 2", "len(np.shape(x)) == 2"]


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4)], ids=str)
@pytest.mark.parametrize("test", TESTS)
def test_a_layer_of_any_rank(test, shape, tmp_path):
    function = written(
        f"def f(x, g, b):\n    if {test}:\n"
        "        m = np.mean(x, axis=1, keepdims=True)\n    else:\n"
        "        m = np.mean(x, axis=-1, keepdims=True)\n    return g * (x - m) + b\n",
        tmp_path,
    )
    rng = np.random.default_rng(1)
    args = [rng.normal(size=shape), rng.normal(size=4), rng.normal(size=4)]
    seed = rng.normal(size=shape)
    made: dict = {}
    exec(gradgen.emit(function), made)
    want = numeric_gradient(function, args, 0, seed).value
    np.testing.assert_allclose(made["grad_f"](*args, seed), want, rtol=1e-6, atol=1e-8)

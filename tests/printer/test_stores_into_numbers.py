"""Adjoints that are added to before a store into them, where they may be numbers."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

STORED = [
    "K[m] = K[m] * np.sum(K)",
    "K[m] *= np.sum(K)",
    "K[m] = K[m] + np.sum(K)",
    "K[m] = K[m] - np.mean(K) * np.sum(K)",
    "K[m] **= 1 + np.sum(K)",
]


@pytest.mark.parametrize("line", STORED)
@pytest.mark.parametrize("sizes", [(), (4,), (2, 3)])
def test_the_text_with_nothing_told(line, sizes, tmp_path):
    f = written(
        f"""
def f(K):
    K = np.array(K * 1.5)
    m = K > 0.5
    {line}
    return np.sum(K**3)
""",
        tmp_path,
    )
    space: dict[str, object] = {}
    exec(gradgen.emit(f), space)
    K = np.random.default_rng(4).uniform(0.1, 0.8, sizes)
    found = space["grad_f"](K)
    assert np.shape(found) == sizes
    wanted = numeric_gradient(f, [K], 0).value
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)

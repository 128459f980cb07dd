"""A[key] += x where the key names each place once: an addition, as by hand."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

LINES = [
    "K[m] += s",
    "K[m] -= K[m] * s",
    "K[m] += np.sum(K)",
    "K[i, j] += K[j, i]",
    "K[i, j] -= s * K[j, i] ** 2",
    "K[i, j] += v",
    "A = K[1:]; A[A > 0] += s",
    "A = K.T; A[i, j] += v",
    "A = K[:, ::-1]; A[m] += s; A[i, j] -= v * s",
    "K[1:][m[1:]] += s",
    "K[np.arange(3), b] += s * K[0]",
    "K[:, m[0]] += s",
    "K[m[0]] += v[:3]",
    "K[m[0], 1:] -= K[m[0], :-1]",
    "d = {'a': K}; d['a'][m] += s",
    "L = K; L[m] += s; K = K * L",
    "L = K.copy(); L[m] += s; K = K * L",
    "K[m] += s; K[m] *= K[m]; K[m] += v[0]",
    "K[[0, 2]] += s * K[[1, 0]]",
    "K[..., [0, 2]] += v[:2]",
    "K[np.argsort(v[:3])] += K",
    "q = K[0]; q[q > 0] += s; K[q < 1] -= v[:3]",
    "for t in range(3):\n        K[m] += s * K[m]",
    "for t in range(3):\n        K[t, m[t]] -= s * K[t - 1, m[t]]",
    "if np.sum(K) > 0:\n        K[m] += s\n    else:\n        K[i, j] -= s",
]
TEXT = """
def f(K, s, v):
    K = K * 1.5
    m = K > 0.1
    i, j = np.tril_indices(3)
    b = np.array([2, 0, 1])
    {line}
    return np.sum(K**3) + np.sum(K[0] * v[:3])
"""


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("seed", [1, 2])
def test_value_and_gradient(line, seed, tmp_path):
    f = written(TEXT.format(line=line.replace("; ", "\n    ")), tmp_path)
    rng = np.random.default_rng(seed)
    args = rng.normal(size=(3, 3)), 0.37, rng.normal(size=6)
    value, found = gradgen.value_and_grad(f, wrt=(0, 1, 2))(*args)
    np.testing.assert_allclose(value, f(*args), rtol=1e-12)
    for k, one in enumerate(found):
        wanted = numeric_gradient(f, list(args), k).value
        np.testing.assert_allclose(one, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("key", ["m", "i, j", "np.diag_indices(3)"])
def test_the_adjoint_is_read_alone(key, tmp_path):
    f = written(TEXT.format(line=f"K[{key}] += s"), tmp_path)
    shapes = {"K": "3 3", "s": "", "v": "6"}
    text = gradgen.emit(f, wrt=("K", "s"), shapes=shapes)
    assert f"K[{key}] += s\n" in text or "K[rhs_diag_indices] += s\n" in text
    back = text[text.index("# Grad of: K[") :]
    assert (
        "np.add.at" not in back and "d_K[m] =" not in back and "d_K[i, j] =" not in back
    )


def test_places_that_may_be_named_twice_keep_the_last(tmp_path):
    f = written(TEXT.format(line="c = [0, 2, 0]\n    K[c] += s * v[:3]"), tmp_path)
    rng = np.random.default_rng(3)
    args = rng.normal(size=(3, 3)), 0.37, rng.normal(size=6)
    found = gradgen.grad(f, wrt=(0, 1, 2))(*args)
    for k, one in enumerate(found):
        wanted = numeric_gradient(f, list(args), k).value
        np.testing.assert_allclose(one, wanted, rtol=1e-5, atol=1e-6)

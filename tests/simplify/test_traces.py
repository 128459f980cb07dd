"""Traces of products: the identity that flows back is not multiplied with."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

LINES = [
    "np.trace(F.T @ L @ F)",
    "np.trace(L @ F @ F.T)",
    "np.trace(F @ F.T) * np.sum(L)",
    "np.trace(L @ L @ L)",
    "np.trace(np.linalg.inv(L) @ F @ F.T)",
    "np.trace(np.tanh(F.T @ F)) ** 2",
    "np.trace((F - 1).T @ (F - 1)) + np.sum(F**2)",
    "np.trace(F @ F[:, ::-1].T @ L)",
]


@pytest.mark.parametrize("told", [{"F": "n c", "L": "n n"}, {}], ids=["told", "untold"])
@pytest.mark.parametrize("line", LINES)
def test_gradients(line, told, tmp_path):
    path = tmp_path / "traces.py"
    path.write_text(f"import numpy as np\n\n\ndef f(F, L):\n    return {line}\n")
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    rng = np.random.default_rng(4)
    F, L = rng.normal(size=(3, 2)), rng.normal(size=(3, 3)) + 3 * np.eye(3)
    text: dict = {}
    exec(gradgen.emit(space["f"], wrt=("F", "L"), shapes=told), text)
    found = text["grad_f"](F, L)
    for i, one in enumerate(found):
        want = numeric_gradient(space["f"], [F, L], i).value
        assert one.shape == want.shape
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-8)
    narrow = text["grad_f"](F.astype(np.float32), L.astype(np.float32))
    assert all(one.dtype == np.float32 for one in narrow)


def test_no_identity_is_written():
    def energy(F, L):
        return np.trace(F.T @ L @ F)

    text = gradgen.emit(energy, wrt=("F", "L"), shapes={"F": "n c", "L": "n n"})
    assert "np.eye" not in text

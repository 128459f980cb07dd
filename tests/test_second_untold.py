"""Hessians of functions of which nothing is told: the text says what it assumes."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.7, -1.2, 1.9])
FORMS = {
    "np.sum(np.linalg.solve(x[:, None] * x + 3 * np.eye(3), x) ** 3)": X,
    "np.sum(np.diag(x) ** 3)": X,
    "np.sum(np.kron(x, x) ** 2)": X,
    "np.sum(np.cross(x, x**2) ** 2)": X,
    "np.linalg.norm(x, 3) ** 2": X,
    "np.sum(np.add.outer(x, x**2) ** 3)": X,
    "np.sum(np.tile(x, 2) ** 3)": X,
    "np.sum(np.pad(x, 1) ** 3) * x[0]": X,
    "np.sum(np.linalg.inv(x) ** 2)": np.diag(X) + 0.1,
    "np.sum(np.linalg.solve(x, x[0]) ** 2)": np.diag(X) + 0.1,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", ["hvp", "hessian"])
def test_each(form, mode, tmp_path):
    f = written(f"def f(x):\n    return {form}\n", tmp_path)
    space: dict = {}
    exec(gradgen.emit(f, mode=mode), space)
    x, h = FORMS[form], 1e-5
    v = np.cos(np.arange(x.size)).reshape(x.shape)
    gradient = gradgen.grad(f)
    want = (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)
    found = space[f"{mode}_f"](x, **({"v_x": v} if mode == "hvp" else {}))
    if mode == "hessian":
        found = np.tensordot(found, v, x.ndim)
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-6)

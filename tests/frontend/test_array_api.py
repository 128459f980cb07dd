"""Functions written for the array API: its namespace is numpy for NumPy's arrays."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

compat = pytest.importorskip("scipy._lib.array_api_compat")
array_namespace, device = compat.array_namespace, compat.device
is_numpy_namespace, size = compat.is_numpy_namespace, compat.size


def plain(x):
    xp = array_namespace(x)
    return xp.sum(xp.exp(x) ** 2)


def made(x):
    xp = array_namespace(x)
    y = xp.asarray(x, dtype=xp.float64)
    zeros = xp.zeros(y.shape, dtype=y.dtype, device=device(x))
    eye = xp.eye(y.shape[0], dtype=x.dtype, device=device(x))
    return xp.sum(xp.linalg.norm(eye * y)) + xp.mean(zeros) + xp.sum(eye @ y**3)


def asked(x):
    xp = array_namespace(x)
    if is_numpy_namespace(xp) and size(x) > 2:
        return xp.sum(xp.abs(x)) + xp.max(x)
    return xp.sum(x) * 0


def of_a_device(x):
    xp = array_namespace(x)
    return xp.sum(xp.ones(3, dtype=x.dtype, device=x.device) * x**2)


def by_method(x):
    xp = x.__array_namespace__()
    return xp.sum(xp.clip(x, 0.5, None) ** 2)


X = np.array([0.3, 0.8, 1.4])


@pytest.mark.parametrize("f", [plain, made, asked, of_a_device, by_method])
def test_a_call_and_a_text_have_the_derivative(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7)
    text = gradgen.emit(f)
    imports = [
        line for line in text.splitlines() if line.startswith(("import", "from"))
    ]
    assert imports == ["import numpy as np"]
    space: dict = {}
    exec(text, space)
    np.testing.assert_allclose(space[f"grad_{f.__name__}"](X), want, rtol=1e-7)

"""Operands that are given by keyword: np.pad(array=x, pad_width=1)."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.random.default_rng(0).uniform(0.3, 0.9, (3, 3))
CALLS = [
    "np.dot(x, b=x.T)",
    "np.dot(a=x, b=x.T)",
    "np.dot(b=x.T, a=x)",
    "np.repeat(a=x, repeats=2)",
    "np.diff(a=x, n=2)",
    "np.linalg.matrix_power(a=x, n=2)",
    "np.linalg.inv(a=x)",
    "np.swapaxes(a=x, axis1=0, axis2=1)",
    "np.moveaxis(a=x, source=0, destination=1)",
    "np.expand_dims(a=x, axis=0)",
    "np.broadcast_to(array=x, shape=(2, 3, 3))",
    "np.full_like(a=x, fill_value=x[0, 0])",
    "np.zeros_like(a=x) + x",
    "np.tile(A=x, reps=2)",
    "np.pad(array=x, pad_width=1)",
    "np.diag(v=x)",
    "np.flip(m=x)",
    "np.rot90(m=x, k=1)",
    "np.squeeze(a=x)",
    "np.ravel(a=x)",
    "np.transpose(a=x, axes=(1, 0))",
    "np.real(val=x)",
    "np.delete(arr=x, obj=1)",
    "np.split(ary=x, indices_or_sections=3)[1]",
    "np.array_split(ary=x, indices_or_sections=2)[0]",
    "np.sum(a=x, axis=0)",
    "np.interp(x=x, xp=[0.0, 0.5, 1.0], fp=[1.0, 3.0, 4.0])",
]


@pytest.mark.parametrize("call", CALLS)
def test_a_call(call, tmp_path):
    f = written(f"def f(x):\n    return np.sum(np.square({call}))\n", tmp_path)
    wanted = numeric_gradient(f, [X], 0).value
    names: dict = {}
    exec(gradgen.emit(f), names)
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, 1e-6, 1e-8)
    np.testing.assert_allclose(names["grad_f"](X), wanted, 1e-6, 1e-8)

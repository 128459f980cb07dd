"""Arrays of the dtype of others, np.result_type(x.dtype, y.dtype); tests of shapes."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def units(v):
    lengths = np.linalg.norm(v, axis=-1)
    out = np.empty_like(v, dtype=np.result_type(v.dtype, lengths.dtype))
    out[...] = v / np.maximum(lengths[..., np.newaxis], np.finfo(float).tiny)
    return np.sum(out**3)


def with_a_name(v):
    out = np.zeros(v.shape, dtype=np.result_type(np.int32, v.dtype))
    out[:] = v**2
    return np.sum(out)


def traces(v):
    found = np.einsum("nii", v.reshape(-1, 3, 3))
    ahead = v.shape[:-2]
    if ahead:
        found = found.reshape(*ahead)
    else:
        found = found[0]
    return np.sum(found**2)


def kinds(v):
    dtype = np.float64
    if v.dtype.kind == "O":
        dtype = "O"
    if v.dtype.char != "U" and not v.dtype.kind == "S":
        v = v.astype(dtype)
    return np.sum(v**2)


POINTS = [np.arange(9.0).reshape(3, 3) + 1, np.arange(18.0).reshape(2, 3, 3) + 1]


@pytest.mark.parametrize("v", POINTS, ids=["matrix", "stack"])
@pytest.mark.parametrize("f", [units, with_a_name, traces, kinds])
def test_a_call_has_the_derivative(f, v):
    want = numeric_gradient(f, (v,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(v), want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [units, with_a_name, kinds])
def test_a_text_has_the_derivative(f):
    space: dict = {}
    exec(gradgen.emit(f), space)
    for v in POINTS:
        want = numeric_gradient(f, (v,), 0).value
        found = space[f"grad_{f.__name__}"](v)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_the_dtype_of_whole_numbers_is_refused():
    def f(v, k):
        out = np.zeros(v.shape, dtype=np.result_type(k.dtype, np.int32))
        out[:] = v
        return np.sum(out)

    with pytest.raises(GradgenError, match="array of integers"):
        gradgen.grad(f)(POINTS[0], np.arange(3))


def test_shapes_without_axes_broadcast():
    def f(a, b):
        if a.shape != b.shape:
            try:
                np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
            except ValueError as error:
                raise ValueError("shapes that do not fit") from error
        return np.sum(a @ b @ a)

    a, b = POINTS[0], POINTS[0].T - 4
    want = numeric_gradient(f, (a, b), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(a, b), want, rtol=1e-6)

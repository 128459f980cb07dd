"""gradgen.grad(..., target=...): callables on the arrays of each library."""

import importlib
from importlib.util import find_spec

import numpy as np
import pytest

import gradgen

FACTS = {"w": "d", "X": "n d", "y": "n"}
RNG = np.random.default_rng(0)
ARGS = RNG.normal(size=3), RNG.normal(size=(5, 3)), RNG.normal(size=5)


def loss(w, X, y):
    z = np.tanh(X @ w) - y
    return np.sum(z * z)


def given(library: str):
    """How the library makes an array of one of numpy's."""
    if library == "jax":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
        return importlib.import_module("jax.numpy").asarray
    if library == "torch":
        return importlib.import_module("torch").as_tensor
    chunked = importlib.import_module("dask.array").from_array
    return lambda array: chunked(array, chunks=2)


@pytest.mark.parametrize(
    "library",
    [
        pytest.param("jax", marks=pytest.mark.libraries),
        pytest.param("dask", marks=pytest.mark.libraries),
        pytest.param("torch", marks=pytest.mark.torch),
    ],
)
def test_a_callable_on_its_arrays(library):
    w, X, y = ARGS
    z = np.tanh(X @ w) - y
    want = X.T @ (2 * z * (1 - np.tanh(X @ w) ** 2))
    args = [given(library)(array) for array in ARGS]
    told = dict(wrt="w", shapes=FACTS, target=library)
    found = gradgen.grad(loss, **told)(*args)
    assert type(found) is type(args[0])
    np.testing.assert_allclose(np.asarray(found), want, rtol=1e-12)
    value, again = gradgen.value_and_grad(loss, **told)(*args)
    np.testing.assert_allclose(np.asarray(value), np.sum(z * z), rtol=1e-12)
    np.testing.assert_array_equal(np.asarray(again), np.asarray(found))


@pytest.mark.skipif(find_spec("cupy") is not None, reason="cupy is installed")
def test_a_library_that_is_not_installed_is_told():
    with pytest.raises(gradgen.GradgenError, match="GG711"):
        gradgen.grad(loss, wrt="w", shapes=FACTS, target="cupy")(*ARGS)

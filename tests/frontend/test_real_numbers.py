"""Whether a number is a float: asked of arguments, known of what is computed."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

SCALARS = (int, np.integer, float, np.floating)


def vector(v):
    kind = np.float64
    if isinstance(v, SCALARS):
        v = [v]
    if isinstance(v, (list, tuple)):
        return np.array(v, dtype=kind)
    if isinstance(v, np.ndarray):
        v = v.flatten()
        if v.dtype.kind == "O":
            kind = "O"
        return v.astype(kind)
    raise TypeError("no vector")


def of_all(x):
    return np.sum(vector(x) ** 2)


def of_a_part(x):
    return np.sum(vector(x[:2] * 2) ** 2) + np.sum(x)


def of_an_entry(x):
    y = x[0] * 2
    return np.sum(vector(y) ** 2) * x[1]


V = np.array([1.1, 0.7, 2.0])


@pytest.mark.parametrize(
    "function, x",
    [
        (of_all, V),
        (of_all, 1.3),
        (of_all, np.float64(1.3)),
        (of_all, np.array(1.3)),
        (of_a_part, V),
        (of_an_entry, V),
    ],
)
def test_calls(function, x):
    want = numeric_gradient(function, (x,), 0).value
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-8)


@pytest.mark.parametrize("function", [of_all, of_a_part, of_an_entry])
def test_texts(function):
    space = {}
    exec(gradgen.emit(function), space)
    want = numeric_gradient(function, (V,), 0).value
    np.testing.assert_allclose(space[f"grad_{function.__name__}"](V), want, rtol=1e-8)


def of_a_transform(x):
    z = np.fft.fft(x)[1]
    return np.sum(x) if isinstance(z, SCALARS) else np.abs(z)


def of_a_root(x):
    z = np.sqrt(x - 1.0 + 0j)[1]
    return np.sum(x) if isinstance(z, SCALARS) else np.abs(z) * 3


def of_a_store(x):
    z = np.zeros(3, dtype=complex)
    z[0] = x[2]
    return np.sum(x) if isinstance(z[0], SCALARS) else np.abs(z[0]) * x[1]


@pytest.mark.parametrize("function", [of_a_transform, of_a_root, of_a_store])
def test_complex_numbers_are_no_floats(function):
    want = numeric_gradient(function, (V,), 0).value
    np.testing.assert_allclose(gradgen.grad(function)(V), want, rtol=1e-7, atol=1e-9)
    space = {}
    exec(gradgen.emit(function, shapes={"x": "n"}), space)
    got = space[f"grad_{function.__name__}"](V)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def told(x: complex | str):
    return x * 2 if isinstance(x, SCALARS) else x * 3


def asked(x):
    return x * 2 if isinstance(x, SCALARS) else x * 3


def test_arguments_that_may_be_complex():
    assert gradgen.grad(asked)(1.5 + 1j, seed=1.0) == 3
    assert gradgen.grad(asked)(1.5) == 2
    assert gradgen.grad(told)(1.5 + 1j, seed=1.0) == 3
    assert gradgen.grad(told)(1.5, seed=1.0) == 2
    space = {}
    exec(gradgen.emit(asked, shapes={"x": ""}), space)
    assert space["grad_asked"](1.5) == 2
    assert space["grad_asked"](1.5 + 1j) == 3

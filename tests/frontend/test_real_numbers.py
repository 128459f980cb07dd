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


def column(v):
    if isinstance(v, (list, tuple)):
        return np.array(v, dtype=float)
    if isinstance(v, np.ndarray):
        return v.flatten()
    raise TypeError("no vector")


def around(x, centre=(0, 1, 0), scale=2.0):
    return np.sum((x - column(centre)) ** 2) * scale


@pytest.mark.parametrize("args", [(V,), (V, V * 0.3), (V, (0.5, 0.2, 0.1))])
def test_a_tuple_that_is_left_out_is_no_array(args):
    want = numeric_gradient(around, args, 0).value
    np.testing.assert_allclose(gradgen.grad(around)(*args), want, rtol=1e-8)


def amplitude(m, theta):
    inside = np.sqrt(1 - (np.sin(theta) / m) ** 2 + 0j)
    return np.real_if_close((np.cos(theta) - m * inside) / (np.cos(theta) + m * inside))


def reflected(m, theta):
    return np.sum(np.abs(amplitude(m, theta)) ** 2)


def turned(m, theta):
    return np.sum(np.real(amplitude(m, theta) * (1 + 2j)))


@pytest.mark.parametrize("m", [1.5, 0.5])
@pytest.mark.parametrize("function", [reflected, turned])
def test_parts_that_are_left_out_where_they_are_small(function, m):
    args = m, np.array([0.9, 1.3])
    for place in (0, 1):
        want = numeric_gradient(function, args, place).value
        got = gradgen.grad(function, place)(*args)
        np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_what_is_small_by_chance_is_left_out_of_the_gradient():
    def f(x, y):
        return np.sum(np.abs(np.real_if_close(x + 1j * y) * (2 + 1j)))

    x = np.array([0.4, 0.7])
    np.testing.assert_allclose(gradgen.grad(f, "y")(x, 0 * x), 0, atol=1e-12)
    got = gradgen.grad(f, "y")(x, 0.3 * x)
    np.testing.assert_allclose(got, np.sqrt(5) * 0.3 / np.sqrt(1.09), rtol=1e-12)

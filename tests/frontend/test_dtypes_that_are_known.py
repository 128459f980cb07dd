"""np.dtype(...), dtypes around a function, in instances and as defaults."""

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import X, is_right

DOUBLE = np.dtype("float64")
OPTIONS = {"dtype": np.dtype(float)}


def of_the_module(x):
    out = np.zeros(3, dtype=DOUBLE)
    out[:2] = x[1:] ** 2
    return np.sum(out)


def of_a_table(x):
    out = np.empty(x.shape, OPTIONS["dtype"])
    out[:] = np.sin(x)
    return np.sum(out)


def made_here(x):
    out = np.zeros(3, dtype=np.dtype("float64"))
    out[1:] = x[:2] ** 3
    return np.sum(out)


def of_the_argument(x):
    out = np.zeros(3, dtype=np.dtype(x.dtype))
    out[:] = x**2
    return np.sum(out)


def by_its_letter(x):
    return np.sum((np.zeros(3, dtype=np.dtype(x.dtype.char)) + x) ** 2)


def its_type(x):
    return np.sum(np.ones(3, dtype=DOUBLE.type) * x**2)


def its_kind(x):
    return np.sum(x**2) if DOUBLE.kind == "f" else x[0]


def kind_of_the_argument(x):
    return np.sum(x**2) if np.dtype(x.dtype).kind == "f" else x[0]


def compared(x):
    kind = x.dtype
    return np.sum(x**2) if kind == DOUBLE else x[0]


def as_default(x, dtype=np.dtype(float)):
    out = np.zeros(3, dtype=dtype)
    out[:] = x**2
    return np.sum(out)


def asked_of_a_default(x, dtype=DOUBLE):
    if dtype.kind in "iu":
        return x[0]
    return np.sum(x) * np.dtype(dtype).itemsize


def by_name(x, dtype="float64"):
    if np.dtype(dtype).kind in "iu":
        return x[0]
    return np.sum(x**2)


def from_none(x, dtype=None):
    dtype = np.dtype(dtype or float)
    return np.sum((np.zeros(3, dtype) + x) ** 2)


FUNCTIONS = [
    *(of_the_module, of_a_table, made_here, of_the_argument, by_its_letter, its_type),
    *(its_kind, kind_of_the_argument, compared, as_default, asked_of_a_default),
    *(by_name, from_none),
]


class Operator:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        self.n = 3

    def padded(self, x):
        out = np.zeros(self.n + 1, dtype=self.dtype)
        out[:-1] = x**2
        return np.sum(out)

    def cast(self, x):
        return np.sum(np.asarray(x, dtype=self.dtype) ** 2)

    def by_kind(self, x):
        return np.sum(x**2) if self.dtype.kind == "f" else x[0]

    def in_turns(self, x):
        for i in range(2):
            y = np.zeros(self.n, dtype=self.dtype)
            y[i] = 2 * x[i]
            x = x + y
        return np.sum(x**2)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions(function):
    is_right(function, X)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_texts(function):
    space = {}
    exec(gradgen.emit(function), space)
    got = space[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(got, gradgen.grad(function)(X), rtol=1e-12)
    if "dtype" in function.__code__.co_varnames[:2] and function is as_default:
        with pytest.raises(ValueError, match="dtype other than np.float64"):
            space["grad_as_default"](X, np.float32)
        again = space["grad_as_default"](X, np.dtype("f8"))
        np.testing.assert_array_equal(again, got)


@pytest.mark.parametrize("name", ["padded", "cast", "by_kind", "in_turns"])
@pytest.mark.parametrize("dtype", ["float64", float, "f8"])
def test_methods(name, dtype):
    is_right(getattr(Operator(dtype), name), X)


@pytest.mark.parametrize("name", ["padded", "in_turns"])
def test_texts_of_methods(name):
    made = Operator(np.float32)
    space = {}
    exec(gradgen.emit(getattr(made, name), shapes={"x": "3"}), space)
    x = X.astype(np.float32)
    got = space[f"grad_{name}"](made, x)
    want = gradgen.grad(getattr(made, name))(x)
    np.testing.assert_allclose(got, want, rtol=1e-5)
    assert want.dtype == np.float32


def castable(x, y=None):
    if np.can_cast(x.dtype, np.float64) and np.issubdtype(x.dtype, np.floating):
        return np.sum(x**3)
    return np.sum(x)


def castable_whole(x):
    if np.issubdtype(x.dtype, np.signedinteger) and np.can_cast(x, float):
        return np.sum(x) * 2
    return np.sum(x**3)


@pytest.mark.parametrize("function", [castable, castable_whole])
def test_whether_a_dtype_may_be_cast_is_asked_of_the_argument(function):
    np.testing.assert_allclose(gradgen.grad(function)(X), 3 * X**2)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space[f"grad_{function.__name__}"](X), 3 * X**2)


def cosines(x, m):
    inside = np.sqrt(1 - (np.sin(x) / m) ** 2, dtype=complex)
    return np.sum(abs((np.cos(x) - m * inside) / (np.cos(x) + m * inside)) ** 2)


def in_single(x, m):
    return np.sum(np.multiply(x, x, dtype=np.float32) * np.exp(x, dtype="float32"))


def in_no_other(x, m):
    return np.sum(np.exp(x, dtype=None) + np.hypot(x, m, dtype=float))


@pytest.mark.parametrize("m", [1.5, 0.9])
@pytest.mark.parametrize("function", [cosines, in_single, in_no_other])
def test_dtypes_of_ufuncs_are_casts_of_what_they_take(function, m):
    x = np.array([0.4, 0.7, 1.4])
    single = function is in_single
    step = 1e-2 if single else 1e-5
    rows = step * np.eye(3)
    want = [(function(x + r, m) - function(x - r, m)) / (2 * step) for r in rows]
    close = {"rtol": 1e-3} if single else {"rtol": 1e-6, "atol": 1e-9}
    got = gradgen.grad(function)(x, m)
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, want, **close)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space[f"grad_{function.__name__}"](x, m), want, **close)


def in_integers(x):
    return np.sum(np.add(x, 1, dtype=int) * 1.0)


def as_an_argument(x, dtype=np.float64):
    return np.sum(np.exp(x, dtype=dtype))


def test_dtypes_of_ufuncs_that_are_refused_or_decided():
    with pytest.raises(gradgen.GradgenError, match="GG209"):
        gradgen.grad(in_integers)(X)
    np.testing.assert_allclose(gradgen.grad(as_an_argument)(X), np.exp(X))

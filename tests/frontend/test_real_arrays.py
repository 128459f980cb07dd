"""What asks whether numbers are complex decides a dtype, of numbers that are real."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare

X = np.array([0.3, 0.8, 1.4])


def by_iscomplexobj(x):
    kind = complex if np.iscomplexobj(x) else float
    out = np.zeros(3, dtype=kind)
    out[:] = x * x
    return np.sum(out)


def by_isrealobj(x):
    rows = np.stack([x, 2 * x])
    out = np.empty((2, 3), dtype=float if np.isrealobj(rows) else complex)
    for i in range(2):
        out[i] = rows[i] ** 2
    return np.sum(out)


def by_its_dtype(x, u=0.3):
    u = np.asarray(u)
    if (x.dtype == np.complex128) or (u.dtype == np.complex128):
        kind = np.complex128
    else:
        kind = np.float64
    out = np.zeros((2, 3), dtype=kind)
    for order in range(2):
        out[order, :] = x**2 * u**order
    return np.sum(out)


def by_dtypes(x):
    kind = float
    if x.dtype in (np.complex64, np.complex128):
        kind = complex
    return np.sum(np.ones(3, dtype=kind) * np.sqrt(x))


def by_the_kind(x):
    kind = np.complex128 if x.dtype.kind == "c" else np.float64
    return np.sum(np.array([x[0], x[1] * x[2]], dtype=kind))


def by_a_subtype(x):
    kind = complex if np.issubdtype(x.dtype, np.complexfloating) else float
    return np.sum(np.asarray(x, dtype=kind) ** 3)


class Curve:
    def __init__(self, points):
        self.points = points

    def at(self, u):
        kind = complex if self.points.dtype == complex or u.dtype == complex else float
        found = np.zeros(3, dtype=kind)
        found[:] = self.points[0] * u
        return found


def of_a_field(x):
    return np.sum(Curve(np.stack([x**2, x])).at(np.array([0.1, 0.2, 0.3])))


REAL = [
    by_iscomplexobj,
    by_isrealobj,
    by_its_dtype,
    by_dtypes,
    by_the_kind,
    by_a_subtype,
    of_a_field,
]


@pytest.mark.parametrize("f", REAL)
def test_of_real_numbers(f):
    compare(f, (X,))
    text = gradgen.emit(f)
    assert "Decided: the arguments are real" in text
    assert "np.complex" not in text and "dtype=complex" not in text


def of_eigenvalues(x):
    w = np.linalg.eigvals(np.outer(x, x) + np.diag([1.0, 2.0, 4.0]))
    if np.iscomplexobj(w):
        w = np.real(w)
    return np.sum(w**2)


def of_what_a_loop_carries(x):
    z, total = x, 0.0
    for _ in range(2):
        if np.iscomplexobj(z):
            total = total + np.sum(np.abs(z) ** 3)
        z = z * 1j
    return total


def of_a_root(x):
    z = (x[0] - 1.0) ** 0.5 if x[1] > 5 else x[0] * 1j
    return np.abs(z) ** 2 if np.iscomplexobj(z) else 3.0 * z


@pytest.mark.parametrize("f", [of_eigenvalues, of_what_a_loop_carries, of_a_root])
def test_of_others_the_text_asks(f):
    compare(f, (X,))


def test_of_a_complex_argument_both_ways_count():
    def f(z):
        return np.sum(np.abs(z) ** 2 if np.iscomplexobj(z) else np.real(z) ** 3)

    z = X * (1 + 2j)
    np.testing.assert_allclose(gradgen.grad(f)(z), 2 * np.conj(z))
    np.testing.assert_allclose(gradgen.grad(f)(X), 3 * X**2)


def test_a_type_by_the_branch_is_named():
    def f(x):
        w = np.linalg.eigvals(np.outer(x, x))
        return np.sum(np.zeros(3, dtype=complex if np.iscomplexobj(w) else float) + x)

    with pytest.raises(GradgenError, match="GG223 which type is asked for"):
        gradgen.grad(f)(X)

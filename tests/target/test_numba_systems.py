"""Triangles that np.linalg.cholesky makes, diagonals and traces, for numba."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def posterior(A, x):
    K = A.T @ A + 2 * np.eye(len(x))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, x))
    return x @ alpha + np.sum(np.log(np.diag(L)))


def named(A, x):
    L = np.linalg.cholesky(A.T @ A + 2 * np.eye(len(x)))
    U = L.T
    white = np.linalg.solve(L, x * x)
    back = np.linalg.solve(U, np.sin(white))
    return np.sum(back * white)


def in_a_loop(A, x):
    L = np.linalg.cholesky(A.T @ A + 2 * np.eye(len(x)))
    for t in range(3):
        x = np.tanh(np.linalg.solve(L, x)) + x
    return np.sum(x)


def of_a_matrix(A, x):
    L = np.linalg.cholesky(A.T @ A + 2 * np.eye(len(x)))
    return np.sum(np.linalg.solve(L, A.T) ** 2) + x @ x


def stored_into(A, x):
    L = np.linalg.cholesky(A.T @ A + 2 * np.eye(len(x)))
    L[0, 1] = x[0]
    return np.sum(np.linalg.solve(L, x))


def traces(A, x):
    S = A.T @ A
    d = np.diag(S)
    return np.trace(S) * np.sum(x * d) + np.trace(S * S) + np.trace(A)


TRIANGLES = (posterior, named, in_a_loop)
PROGRAMS = (*TRIANGLES, of_a_matrix, stored_into, traces)
SHAPES = {"A": "m n", "x": "n"}


def emitted(function, **told):
    return gradgen.emit(function, ("A", "x"), shapes=SHAPES, **told)


def code_of(function):
    """The lines of the function's text that are no comments."""
    lines = emitted(function, target="numba").splitlines()
    return "\n".join(one for one in lines if not one.lstrip().startswith("#"))


def check(function, compiled):
    rng = np.random.default_rng(5)
    args = rng.normal(size=(4, 3)), rng.normal(size=3)
    got = function_of(emitted(function, target="numba"), compiled)(*args)
    for at, one in enumerate(got):
        want = numeric_gradient(function, args, at, 1.0).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_as_python(function):
    check(function, compiled=False)


@pytest.mark.libraries
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_compiled(function):
    pytest.importorskip("numba")
    check(function, compiled=True)


@pytest.mark.parametrize("function", TRIANGLES, ids=lambda f: f.__name__)
def test_a_triangle_and_a_vector_need_no_solve(function):
    assert "np.linalg.solve(" not in code_of(function)
    assert "_solved_lower(" in code_of(function)


@pytest.mark.parametrize("function", (of_a_matrix, stored_into))
def test_other_systems_are_numpys(function):
    text = code_of(function)
    assert "np.linalg.solve(" in text and "_solved_" not in text


def test_a_triangle_is_inverted_by_a_loop():
    assert "np.linalg.inv(" not in code_of(posterior)
    assert "_inverted_lower(L)" in code_of(posterior)


def test_diagonals_are_loops():
    text = code_of(traces)
    assert "np.trace(" not in text
    assert "S[i, i]" in text and "= np.diag(" not in text


@pytest.mark.parametrize("helper", ("_solved_lower", "_solved_upper"))
def test_the_helpers_are_np_linalg_solve(helper):
    names: dict = {"np": np}
    exec(open("templates/helpers_numba.py").read(), names)
    cut = np.tril if helper == "_solved_lower" else np.triu
    rng = np.random.default_rng(2)
    for n in (1, 2, 7):
        for dtype in (np.float64, np.float32):
            A = cut(rng.normal(size=(n, n)) + 3 * np.eye(n)).astype(dtype)
            b = rng.normal(size=n).astype(dtype)
            got = names[helper](A, b)
            assert got.dtype == dtype
            np.testing.assert_allclose(got, np.linalg.solve(A, b), rtol=1e-4)
            whole = names["_inverted_lower"](np.tril(A) + np.eye(n, dtype=dtype))
            want = np.linalg.inv(np.tril(A) + np.eye(n))
            assert whole.dtype == dtype
            np.testing.assert_allclose(whole, want, rtol=1e-4, atol=1e-6)
    with pytest.raises(ValueError):
        names[helper](np.eye(3), np.ones(2))
    with pytest.raises(ValueError):
        names[helper](np.eye(3), np.ones(3, np.float32))

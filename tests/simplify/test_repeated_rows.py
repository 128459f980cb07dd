"""Adjoints that repeat a row are added as rows; sums over what is turned over."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_turned(A, w):
    return np.sum(A.T, axis=1) @ np.sum(A @ np.diag(w), axis=0)


def two_sums(A, w):
    return np.sum(A, axis=0) @ w + np.mean(A)


def beside_rows(A, w):
    return np.sum(A * w) - np.sum(A, axis=0) @ np.cos(w)


def rows_and_columns(A, w):
    return np.sum(A, axis=0) @ w + np.sum(np.sum(A.T, axis=0) ** 2)


def means(A, w):
    return np.mean(A.T, axis=-1) @ w + np.sum(np.mean(A.T, axis=0))


def kept(A, w):
    return np.sum(np.sum(A.T, axis=1, keepdims=True) * w[:, None])


def of_a_number(A, w):
    return np.sum(A.T) * w[0] + np.sum(A)


def traced(A, w):
    C = A.T @ A
    return np.trace(C) + np.sum(C) + np.trace(np.outer(w, w) @ C)


def of_stacks(A, w):
    B = np.stack([A, A * w])
    return np.sum(B.T, axis=1) @ np.ones(2) @ w + np.sum(B)


FUNCTIONS = [
    (of_turned, ""),
    (two_sums, "np.full_like(A, d_out * (w + 1 / A.size))"),
    (beside_rows, "np.full_like(A, d_out * (w - np.cos(w)))"),
    (rows_and_columns, "d_A = d_out * w + 2 * d_out * np.sum(A, axis=1)[:, None]"),
    (means, ""),
    (kept, ""),
    (of_a_number, ""),
    (traced, ""),
    (of_stacks, ""),
]


@pytest.mark.parametrize("shapes", [{"A": "n d", "w": "d"}, {"A": "n n", "w": "n"}, {}])
@pytest.mark.parametrize("function, line", FUNCTIONS)
@pytest.mark.parametrize("wrt", ["A", "w"])
def test_against_differences(function, line, shapes, wrt):
    rng = np.random.default_rng(2)
    gradient = gradgen.grad(function, wrt=wrt, shapes=shapes)
    sizes = [(3, 3), (1, 1)] if shapes.get("A") == "n n" else [(4, 3), (1, 3), (4, 1)]
    for rows, columns in sizes:
        args = [rng.normal(size=(rows, columns)), rng.normal(size=columns)]
        at = ["A", "w"].index(wrt)
        found = gradient(*args)
        want = numeric_gradient(function, args, at).value
        assert np.shape(found) == np.shape(want)
        np.testing.assert_allclose(found, want, 1e-6, 1e-8)
        narrow = gradient(*[np.float32(a) for a in args])
        assert narrow.dtype == np.float32
        np.testing.assert_allclose(narrow, want, 1e-4, 1e-4)
    if shapes.get("A") == "n d" and wrt == "A" and line:
        assert line in gradient.source


def test_the_identity_has_one_length():
    text = gradgen.emit(traced, wrt="A", shapes={"A": "n d", "w": "d"})
    assert "np.eye(A.shape[1], dtype=C.dtype)" in text or "np.eye(len(C)" in text


def test_a_sum_over_rows_in_place_of_columns():
    text = gradgen.emit(of_turned, wrt="A", shapes={"A": "n d", "w": "d"})
    body = text.split("d_A = ")[-1]
    assert "A.T" not in body and "np.sum(A, axis=0)" in body

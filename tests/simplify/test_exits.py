"""Shapes are asked of what a loop leaves: values and dtypes as before."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def added(e):
    a = e[0]
    for t in range(1, len(e)):
        a = np.tanh(a + e[t])
    return np.sum(a)


def linear(e):
    a = e[0] ** 2
    for t in range(1, len(e)):
        a = 0.5 * a + e[t]
    return np.sum(a)


def wider(e):
    a = e[0]
    for t in range(1, len(e)):
        a = np.outer(a, a).sum(axis=0) * e[t]
    return np.sum(a)


def grown(e):
    a = e[:1]
    for t in range(1, len(e)):
        a = np.concatenate([a, e[t : t + 1] ** 2])
    return np.sum(a)


def summed_in_between(e):
    a = e[0]
    s = np.sum(a)
    for t in range(1, len(e)):
        a = np.tanh(a * s + e[t])
    return np.sum(a) + s


def of_a_list(e):
    rows = [np.sin(e[0])]
    y = np.sum(rows[0])
    for t in range(len(e)):
        rows.append(e[t])
        y = y * len(rows)
    return y * len(rows)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "function", [added, linear, wider, grown, summed_in_between, of_a_list]
)
def test_gradients(function, dtype):
    e = np.linspace(0.3, 1.1, 12).reshape(4, 3)
    want = numeric_gradient(function, [e], 0).value
    text: dict = {}
    exec(gradgen.emit(function, shapes={"e": "T k"}), text)
    found = text[f"grad_{function.__name__}"](e.astype(dtype))
    assert found.dtype == dtype
    np.testing.assert_allclose(found, want, rtol=1e-7 if dtype is np.float64 else 1e-5)


def test_a_loop_that_no_gradient_needs_is_left_out():
    assert gradgen.emit(linear, shapes={"e": "T k"}).count("for ") <= 3

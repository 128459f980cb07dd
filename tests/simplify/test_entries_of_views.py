"""Entries of a row or a column of the seed: the column keeps the name they are read by."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def column(a: float, b: float):
    c, s = np.cos(a), np.sin(a)
    out = np.zeros((2, 3))
    out[:, 0] = [c, c + s * b]
    return out


def row(a: float, b: float):
    c, s = np.cos(a), np.sin(a)
    out = np.zeros((3, 2))
    out[1] = np.array([s * c, c + s * b])
    return out


def several(a: float, b: float):
    c, s = np.cos(a), np.sin(a * b)
    out = np.zeros((3, 3))
    out[:, 0] = np.array([c * b, s + c * b, s])
    out[:, 1] = np.array([-s * b, c, -c * s])
    out[:, 2] = np.array([-c, -s * c, b])
    return out


def read_once(a: float, b: float):
    out = np.zeros((2, 2))
    out[:, 1] = np.array([a, b * a])
    return out


@pytest.mark.parametrize("function", [column, row, several, read_once])
def test_entries_of_views(function):
    seed = np.random.default_rng(2).normal(size=np.shape(function(0.3, 0.7)))
    space = {}
    exec(gradgen.emit(function), space)
    got = space[f"grad_{function.__name__}"](0.3, 0.7, seed)
    want = numeric_gradient(lambda a: np.sum(seed * function(a, 0.7)), [0.3], 0).value
    np.testing.assert_allclose(got, want, rtol=1e-8)
    at_hand = gradgen.grad(function)(0.3, 0.7, seed=seed)
    np.testing.assert_allclose(at_hand, want, rtol=1e-8)

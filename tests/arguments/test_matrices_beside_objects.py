"""Jacobians and Hessians of functions that are called with objects: a matrix each.

A derivative with objects among its arguments is made of their attributes, as one of
several; what is asked for alone comes alone.
"""

import types
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

SOURCE = """
def cubes(x, cfg):
    return np.sum(cfg.w[cfg.n:] * x[cfg.n:] ** 3) * cfg.s

def squares(x, cfg):
    return cfg.s * x[:cfg.n] ** 2
"""
X = np.array([1.0, 2.0, 3.0])
W = np.array([1.0, 2.0, 3.0])


@dataclass
class Settings:
    w: object
    n: int
    s: float


MAKERS = [types.SimpleNamespace, Settings]


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("wrt", [None, "x", 0, ("x",)])
def test_a_matrix_comes_in_a_tuple_only_where_it_is_asked_for_in_one(
    tmp_path, kind, wrt
):
    cubes = written(SOURCE, tmp_path, function="cubes")
    squares = written(SOURCE, tmp_path, "other", "squares")
    one = kind(w=W, n=1, s=2.0)
    found = {
        "gradient": gradgen.jacobian(cubes, wrt=wrt)(X, one),
        "hessian": gradgen.hessian(cubes, wrt=wrt)(X, one),
        "jacobian": gradgen.jacobian(squares, wrt=wrt)(X, one),
    }
    want = {
        "gradient": 6 * W * X**2 * [0, 1, 1],
        "hessian": np.diag(12 * W * X * [0, 1, 1]),
        "jacobian": np.array([[4 * X[0], 0, 0]]),
    }
    for name, true in want.items():
        got = found[name]
        if wrt == ("x",):
            assert isinstance(got, tuple) and len(got) == 1
            (got,) = got
        assert isinstance(got, np.ndarray) and got.shape == true.shape
        np.testing.assert_allclose(got, true)

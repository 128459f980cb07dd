"""A constant slice of several results is some of them: np.linalg.lstsq(A, b)[0:2]."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

RANDOM = np.random.default_rng(6)
A, X = RANDOM.standard_normal((6, 3)), RANDOM.standard_normal(8)
SLICES = {
    "x, rest = np.linalg.lstsq(x, y, rcond=-1)[0:2]\nreturn np.sum(x**3)": (A, A[:, 0]),
    "u, s = np.linalg.svd(x, full_matrices=False)[:2]\nreturn np.sum(s * u[0]**2)": (
        A,
        None,
    ),
    "values = np.linalg.eigh(x.T @ x)[:1]\nreturn np.sum(values[0] ** 2)": (A, None),
    "a, c = np.split(x, 4)[::2]\nreturn a @ c": (X, None),
    "u, s = np.linalg.svd(x, full_matrices=False)[0:2]\nreturn np.sum(u * s)": (
        A,
        None,
    ),
    "a, c = np.split(x, 4)[:2]\nreturn a @ c**2": (X, None),
    "a, c = np.split(x, 4)[2:]\nreturn a @ c**2": (X, None),
    "a, c = np.split(x, 4)[0:4:2]\nreturn a @ c**2": (X, None),
    "z, r = np.linalg.lstsq(x, y, rcond=-1)[0:2]\nprint(r)\nreturn z * 2": (A, A[:, 0]),
    "return np.prod(np.split(x, 4)[-1:][0])": (X, None),
    "return np.sum(np.meshgrid(x, y)[1:][0] ** 2)": (X, X[:3]),
}


@pytest.mark.parametrize("body", SLICES)
def test_some_of_several_results(body, tmp_path):
    text = body.replace("\n", "\n    ")
    function = written(f"def f(x, y):\n    {text}\n", tmp_path)
    compare(function, SLICES[body])


def test_where_a_slice_ends_has_to_be_known(tmp_path):
    function = written("def f(x, n):\n    return np.split(x, 4)[:n][0].sum()", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG216"):
        gradgen.emit(function)

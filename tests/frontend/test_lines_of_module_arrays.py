"""Arrays of the module whose line has an annotation, or reads other arrays of the module."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

MODULE = """from typing import Any

K = 0.5
A: Any = np.array(
    [
        [0.25, 0.5],  # of one row
        [1.0, 3.0],
    ]
)
B: "np.ndarray" = np.linalg.inv(A)
C = np.full(2, K)
D = A @ B.T * K
E = D[0] + C
BACK = list(C)
MADE = np.array([len("ab"), 1.5])
F = np.array([1.0, 2.0])
F[0] = 3.0
G = F * 2
STALE = np.array([1.0, 2.0])
H = STALE * 2
STALE[1] = 5.0
ZERO = np.asarray(len("abc") / 2)
OF_F = np.array(F[0] + len("a"), np.float32)
WHOLE = np.array(len("abc"))
FIRST, SECOND = np.array([1.0, 2.0]), np.array([0.5, 4.0])
(INNER, N), OTHER = (np.linspace(0.1, 0.7, 2), 2), np.ones(2) * K
ONE = SAME = np.array([0.25, 1.5])
WIDE, LONG = (
    np.array([1.0, 2.0])
    * 3.0,
    np.array(
        [0.5, 0.25]
    ),
)
SUMMED: Any = (
    np.array([1.0, 2.0])
    + K
)
ACROSS, DOWN = np.meshgrid(C, C)
LEFT, *REST = np.array([1.0, 2.0]), np.array([3.0, 4.0])
KEPT, SWAPPED = np.array([3.0, 4.0]), np.array([5.0, 6.0])
SWAPPED[1] = 2.0


def f(x):
    return np.sum(np.sin({name} * x))
"""
X = np.array([0.4, -0.9])
PARTS = "FIRST SECOND INNER OTHER ONE SAME WIDE LONG SUMMED ACROSS DOWN KEPT".split()


def module(name, tmp_path):
    return written(MODULE.replace("{name}", name), tmp_path)


@pytest.mark.parametrize("name", ["A", "B", "C", "D", "E", "MADE", *PARTS])
def test_the_line_stands_in_the_text(name, tmp_path):
    f = module(name, tmp_path)
    space = {}
    exec(gradgen.emit(f, shapes={"x": "2"}), space)
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(space["grad_f"](X), want, rtol=1e-8)


@pytest.mark.parametrize("name", ["F", "G", "H", "LEFT", "SWAPPED"])
def test_a_line_that_makes_something_else_is_refused(name, tmp_path):
    """F was changed, and STALE after H was made of it."""
    f = module(name, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG211"):
        gradgen.emit(f, shapes={"x": "2"})
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-8)


@pytest.mark.parametrize("name", ["ZERO", "OF_F", "WHOLE"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_without_axes_is_written_out(name, dtype, tmp_path):
    """As other numbers of the module are: what has made it does not matter."""
    f, x = module(name, tmp_path), X.astype(dtype)
    space = {}
    exec(gradgen.emit(f), space)
    want = numeric_gradient(f, (X,), 0).value
    found = space["grad_f"](x)
    np.testing.assert_allclose(found, want, rtol=1e-6)
    assert found.dtype == dtype

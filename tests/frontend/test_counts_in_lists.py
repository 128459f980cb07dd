"""[a, b, c].count(None), which says how many arguments are left out."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.both_doors import compare
from tests.frontend.writing import written

SOLVED = """def f(v=None, t=None, s=None):
    unknown = [v, t, s].count(None)
    if unknown != 1:
        raise ValueError("one of the three is wanted")
    if s is None:
        return v * t**2
    if t is None:
        return s / v
    return s / t**2
"""
CALLS = [((3.0, 2.0, None), 0), ((3.0, None, 2.0), 2), ((None, 3.0, 2.0), 1)]


@pytest.mark.parametrize("args, wrt", CALLS)
def test_arguments_left_out(args, wrt, tmp_path):
    f = written(SOLVED, tmp_path)

    def of_one(x):
        return f(*args[:wrt], x, *args[wrt + 1 :])

    want = numeric_gradient(of_one, (args[wrt],), 0).value
    found = gradgen.grad(f, wrt="vts"[wrt])(*args)
    np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("args", [(3.0,), (3.0, 2.0, 1.0)])
def test_what_raises(args, tmp_path):
    with pytest.raises((ValueError, gradgen.GradgenError), match="one of the three"):
        gradgen.grad(written(SOLVED, tmp_path))(*args)


@pytest.mark.parametrize("line", ["['a', 'b', 'a'].count('a')", "[1, 2, 2].count(2.0)"])
def test_constants(line, tmp_path):
    text = f"def f(x):\n    return np.sum(np.sin(x)) * {line}\n"
    compare(written(text, tmp_path), (np.array([0.7, 0.4]),))


def test_numbers_that_are_not_known_are_refused(tmp_path):
    f = written("def f(x):\n    return [x[0], 1.0].count(1.0) * x[1]\n", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG241"):
        gradgen.grad(f)(np.array([0.7, 0.4]))

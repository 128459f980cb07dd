"""scipy.stats.multivariate_normal.logpdf of one row (1, d), of which SciPy makes a number."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

SOURCE = """
from scipy import stats

def f(x, m, c):
    return stats.multivariate_normal.logpdf(x, m, c)

def squared(x, m, c):
    return np.sum(stats.multivariate_normal.logpdf(x, m, c) ** 2)
"""
RNG = np.random.default_rng(3)
ROWS = [(1, 3), (1, 1), (4, 3), (4, 1), (3,)]


def formula(x, m, c):
    """The logarithm of the density; the inverse and the determinant of any matrix."""
    moved = np.atleast_2d(x - m)
    quadratic = np.sum(moved * np.linalg.solve(c, moved.T).T, axis=-1)
    size = len(m) * np.log(2 * np.pi) + np.log(np.linalg.det(c))
    return np.squeeze(-0.5 * (quadratic + size))


def arguments(shape):
    d = shape[-1]
    a = RNG.normal(size=(d, d))
    return RNG.normal(size=shape), RNG.normal(size=d), a @ a.T + np.eye(d)


def jacobian(function, args, place, h=1e-30):
    """By complex steps."""
    columns = []
    for entry in np.ndindex(args[place].shape):
        moved = [np.array(arg, complex) for arg in args]
        moved[place][entry] += 1j * h
        columns.append(np.imag(function(*moved)) / h)
    value = np.shape(function(*args))
    return np.stack(columns, -1).reshape(value + args[place].shape)


@pytest.mark.parametrize("shape", ROWS, ids=str)
def test_each_way(shape, tmp_path):
    f = written(SOURCE, tmp_path)
    args = arguments(shape)
    value = np.shape(f(*args))
    for place, name in enumerate("xm"):  # of c the gradient is a symmetric one
        want = jacobian(formula, args, place)
        np.testing.assert_allclose(gradgen.jacobian(f, name)(*args), want, rtol=1e-9)
        v = RNG.normal(size=args[place].shape)
        pushed = gradgen.jvp(f, name)(*args, v)[1]
        assert np.shape(pushed) == value
        along = np.tensordot(want, v, v.ndim)
        np.testing.assert_allclose(pushed, along, rtol=1e-9)
        seeds = [np.ones(value), *([1.0] if value == () else [])]
        for seed in seeds:
            pulled = gradgen.vjp(f, name)(*args)[1](seed)
            assert np.shape(pulled) == args[place].shape
            flow = np.tensordot(np.ones(value), want, len(value))
            np.testing.assert_allclose(pulled, flow, rtol=1e-9)


@pytest.mark.parametrize("shape", ROWS[:4], ids=str)
def test_of_a_sum_of_squares(shape, tmp_path):
    """At hand, and in one text for any number of rows."""
    g = written(SOURCE, tmp_path, function="squared")
    args = arguments(shape)
    space = {}
    exec(gradgen.emit(g, ("x", "m"), shapes={"x": "n d", "m": "d", "c": "d d"}), space)
    texts = space["grad_squared"](*args)
    for place, found in enumerate(gradgen.grad(g, ("x", "m"))(*args)):
        want = jacobian(lambda *a: np.sum(formula(*a) ** 2), args, place)
        for one in (found, texts[place]):
            assert one.shape == args[place].shape
            np.testing.assert_allclose(one, want, rtol=1e-9)
    v, h = RNG.normal(size=shape), 1e-4
    x, m, c = args

    def slope(x):
        return jacobian(lambda *a: np.sum(formula(*a) ** 2), (x, m, c), 0)

    want = (slope(x + h * v) - slope(x - h * v)) / (2 * h)
    np.testing.assert_allclose(gradgen.hvp(g)(*args, v), want, rtol=1e-6)


def test_entries_for_rows_of_one_entry_are_refused(tmp_path):
    f = written(SOURCE, tmp_path, function="squared")
    with pytest.raises(GradgenError, match="GG302 no gradient for .* of numbers"):
        gradgen.grad(f)(RNG.normal(size=4), np.zeros(1), np.eye(1))

"""np.broadcast, np.emath, bisect: what they are read as."""

import bisect

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import X, is_right

TABLE = np.linspace(0.5, 2.0, 6).reshape(2, 3)
KNOTS, VALUES = [0.0, 0.5, 1.0, 2.0], [1.0, 3.0, 2.0, 2.5]


def of_a_shape(x):
    shape = np.broadcast(x, TABLE).shape
    return np.sum(np.broadcast_to(x, shape) ** 2 * TABLE)


def quaternions(x):
    both = np.broadcast(x[..., 0], TABLE[..., 0])
    out = np.empty(both.shape + (2,))
    out[..., 0] = x[0] * TABLE[..., 0]
    out[..., 1] = x[1] + TABLE[..., 1] * x[2]
    return np.sum(out**2) * both.ndim + both.size


def of_shapes(x):
    return np.sum(np.zeros(np.broadcast_shapes(x.shape, (2, 1), (3,))) + x**2)


def masks_beside(x):
    positive, given, whole = np.broadcast_arrays(x > 0, x, np.arange(3))
    return np.sum(positive * given**2 + whole * given)


def masks_of_one(x):
    positive, given = np.atleast_1d(x > 0, x)
    return np.sum(positive * given**3)


def right_of(x):
    i = bisect.bisect(KNOTS, abs(x[0])) - 1
    return VALUES[i] * x[0] + x[1]


def left_of(x):
    i = bisect.bisect_left(KNOTS, x[0] ** 2)
    return x[i % 3] ** 2 + np.sum(x)


def in_range(x):
    return np.sum(np.emath.sqrt(x**2) * np.lib.scimath.log(x**2 + 1))


def angles(x):
    return np.sum(np.emath.arcsin(x / 2) + np.emath.arccos(x / 2) ** 2)


ALL = [of_a_shape, quaternions, of_shapes, masks_beside, masks_of_one]
ALL += [right_of, left_of, in_range, angles]


@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("x", [X, X[::-1] - 0.9], ids=["one", "turned"])
def test_the_derivative(f, x):
    is_right(f, x)


@pytest.mark.parametrize("turn", [np.emath.sqrt, np.emath.log10, np.emath.arcsin])
def test_what_is_complex_there_is_refused_at_the_call(turn):
    def f(x):
        return np.sum(turn(x - 2))

    with pytest.raises(gradgen.GradgenError, match="GG302 .* which is complex"):
        gradgen.grad(f)(X - 1)


def test_a_store_into_the_integers_of_several_is_refused():
    def f(x):
        whole, given = np.atleast_1d(np.arange(3), x)
        whole[0] = x[0]
        return np.sum(whole)

    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(X)
    assert caught.value.code == "GG309"

"""Arrays that a docstring tells of, where a function asks whether they are arrays."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

SCALARS = (int, np.integer, float, np.floating)


def vector(v, length=None):
    if isinstance(v, SCALARS):
        v = [v]
    if isinstance(v, (list, tuple)):
        return np.array(v, dtype=float)
    if isinstance(v, np.ndarray):
        if length is not None and v.shape != (length,):
            raise ValueError("another length")
        return v.flatten()
    raise TypeError("no vector")


def quaternion(v):
    """A unit quaternion.

    :param v: vector part
    :type v: array_like(3)
    """
    v = vector(v, 3)
    return np.sum(np.r_[np.sqrt(1 - np.sum(v**2)), v] ** 3)


def distance(p, q, weight=1.0):
    """The distance of two points.

    Parameters
    ----------
    p0 : array_like, shape (n,)
        No argument of this name.
    p : array_like, shape (n,)
        A point.
    q : array_like, shape (n,)
        Another.
    """
    return weight * np.sqrt(np.sum((vector(p) - vector(q)) ** 2))


def sheared(m, v):
    """A product.

    Parameters
    ----------
    m : array_like, shape (n, n)
        A matrix.
    v : array_like, shape (n,)
        A vector.
    """
    if isinstance(m, np.ndarray):
        m = m @ m
    else:
        m = [[0.0]]
    return np.sum((m @ vector(v)) ** 2)


V, W = np.array([0.3, 0.5, 0.2]), np.array([0.1, 0.9, 0.4])
M = np.arange(9.0).reshape(3, 3) / 7


@pytest.mark.parametrize(
    "function, args", [(quaternion, (V,)), (distance, (V, W)), (sheared, (M, V))]
)
def test_texts_take_them_for_arrays_and_look(function, args):
    space = {}
    exec(gradgen.emit(function), space)
    made = space[f"grad_{function.__name__}"]
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(made(*args), want, rtol=1e-8, atol=1e-10)
    with pytest.raises(ValueError, match="taken for"):
        made(list(args[0]), *args[1:])

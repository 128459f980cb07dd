"""Arrays that a docstring tells of, where a function asks whether they are arrays."""

import numpy as np
import numpy.typing
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


def inverse(u, alpha):
    """The inverse of a utility.

    Parameters
    ----------
    u : float
        A utility.
    alpha : float
        The aversion to risk.
    """
    return -1.0 / alpha * np.log(1.0 - u)


def scaled(u, alpha):
    """A product, whose gradient has no shape of u of its own.

    Parameters
    ----------
    u : float
        A number.
    alpha : float
        Another.
    """
    return alpha * u


def test_what_is_called_a_number_may_be_an_array_where_the_text_is_the_same():
    text = gradgen.emit(inverse)
    assert 'raise ValueError("alpha is taken for a number")' in text
    space = {}
    exec(text, space)
    seed = np.array([1.0, 2.0, 0.5])
    want = seed / 0.7 / (1 - V)
    np.testing.assert_allclose(space["grad_inverse"](V, 0.7, seed), want, rtol=1e-12)
    assert space["grad_inverse"](0.3, 0.7) == pytest.approx(1 / 0.7 / 0.7)
    with pytest.raises(ValueError, match="alpha is taken"):
        space["grad_inverse"](V, V, seed)
    exec(gradgen.emit(scaled), space)
    assert space["grad_scaled"](0.3, 0.7) == 0.7
    with pytest.raises(ValueError, match="u is taken for a number"):
        space["grad_scaled"](V, 0.7)


Three = np.ndarray[tuple[int], np.dtype[np.float64]]
Floats = np.typing.NDArray[np.float64]


def by_alias(v: Three, w: Floats):
    return np.sum(vector(v) * vector(w) ** 2)


def by_alias_of_numpy(v: "np.typing.ArrayLike"):
    return np.sum(vector(v) ** 2)


@pytest.mark.parametrize(
    "function, args", [(by_alias, (V, W)), (by_alias_of_numpy, (V,))]
)
def test_names_of_types_of_arrays(function, args):
    space = {}
    exec(gradgen.emit(function), space)
    want = numeric_gradient(function, args, 0).value
    got = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-10)

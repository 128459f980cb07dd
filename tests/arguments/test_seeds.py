"""Seeds and tangents of every sort: right, or refused."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError


def number(x):
    return np.sum(x * x)


def entries(x):
    return x * x


def turned(x):
    return x * 1j


X = np.array([1.0, 2.0])


def both(function, seed, x=X):
    """The gradient by grad, and by the pullback of vjp."""
    yield gradgen.grad(function)(x, seed=seed)
    yield gradgen.vjp(function)(x)[1](seed)


@pytest.mark.parametrize("seed", [2, True, np.float32(2), np.int8(2), np.array(2)])
def test_numbers_as_seeds(seed):
    for found in both(number, seed):
        assert np.array_equal(found, 2 * float(seed) * X) and found.dtype == float
    for found in both(entries, seed):
        assert np.array_equal(found, 2 * float(seed) * X)


@pytest.mark.parametrize(
    "seed", [[1, 2], (1, 2), np.array([1, 2]), np.float32([1, 2]), np.uint8([1, 2])]
)
def test_arrays_as_seeds(seed):
    for found in both(entries, seed):
        assert np.array_equal(found, 2 * X * [1, 2]) and found.dtype == float
    for found in both(entries, seed, X.astype(np.float32)):
        assert found.dtype == np.float32


def test_nan_goes_through_and_none_stands_for_ones():
    for found in both(entries, np.nan):
        assert np.isnan(found).all()
    for found in both(entries, None):
        assert np.array_equal(found, 2 * X)


@pytest.mark.parametrize(
    "seed",
    [
        [1.0, 2.0, 3.0],
        np.ones((1, 2)),
        X[:1],
        1j,
        X * 1j,
        [1j, 0],
        "a",
        object(),
        {},
        [[1], [2, 3]],
        np.array([1, "a"], dtype=object),
        np.matrix(X),
    ],
)
def test_what_is_no_seed(seed):
    with pytest.raises(GradgenError, match="GG508") as error:
        gradgen.grad(entries)(X, seed=seed)
    assert error.value.advice
    with pytest.raises(GradgenError, match="GG508"):
        gradgen.vjp(entries)(X)[1](seed)


@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "vjp"])
@pytest.mark.parametrize("x", [X, 2.0, np.float64(2.0)])
def test_a_complex_result_has_no_default_seed(mode, x):
    def asked(**seed):
        made = getattr(gradgen, mode)(turned)
        return made(x)[1](**seed) if mode == "vjp" else made(x, **seed)

    with pytest.raises(GradgenError, match="GG506 the result is complex"):
        asked()
    found = asked(seed=1j)
    found = found[1] if mode == "value_and_grad" else found
    assert np.array_equal(found, -np.ones(np.shape(x)))


@pytest.mark.parametrize("mode", [gradgen.jvp, gradgen.hvp])
def test_tangents(mode):
    def along(tangent, x=X):
        found = mode(number)(x, tangent)
        return found[1] if mode is gradgen.jvp else found

    for tangent in ([1, 2], (1, 2), np.array([1, 2]), np.float32([1, 2])):
        assert np.array_equal(along(tangent), along(np.array([1.0, 2.0])))
    assert np.isnan(along(np.array([np.nan, 1.0]))).any()
    assert along(np.array([1.0, 2.0]), X.astype(np.float32)).dtype == np.float32
    for tangent in (1j, X * 1j, "a", None, X[:1], [[1], [2, 3]], 2.0, {}, object()):
        with pytest.raises(GradgenError, match="GG509"):
            along(tangent)
    for tangent in (1j, "a", None, X):
        with pytest.raises(GradgenError, match="GG509"):
            along(tangent, 3.0)

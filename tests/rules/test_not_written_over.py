"""overwrite_a=False and its like: said, and nothing else than not said."""

import numpy as np
import pytest
import scipy.linalg as sl

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.2, 0.5, 0.3, 0.9])


def quartiles(x):
    low, high = np.percentile(x, [25, 75], overwrite_input=False)
    return low + 2 * high


def middle(x, overwrite=False):
    return np.median(x, overwrite_input=overwrite) * x[0]


def solved(x):
    return np.sum(sl.solve(np.diag(x) + 1, x, overwrite_a=False, overwrite_b=False))


def inverted(x):
    return np.sum(sl.inv(np.diag(x) + 1, overwrite_a=False) ** 2)


def written_over(x):  # what nobody else has
    return np.sum(sl.inv(np.diag(x) + 1, overwrite_a=True))


def read_behind(x):
    M = np.diag(x) + 1
    return np.sum(sl.inv(M, overwrite_a=True)) + np.sum(M)


@pytest.mark.parametrize("f", [quartiles, middle, solved, inverted, written_over])
def test_the_derivative(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.median(x, overwrite_input=True),
        read_behind,
    ],
)
def test_what_is_written_over_is_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(X)
    assert caught.value.code == "GG209"

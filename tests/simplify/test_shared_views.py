"""Operations that may return a view: what a loop changes later is kept as a copy."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def turned_by_einsum(x):
    total = 0.0
    for k in range(3):
        turned = np.einsum("ij->ji", x)
        total += np.sum(turned**2)
        x[k, 0] = x[k, 0] * 2
    return total


def diagonal_of_linalg(x):
    total = 0.0
    for k in range(2):
        entries = np.linalg.diagonal(x)
        total += np.sum(entries**3)
        x[k, k] *= 2
    return total


def parts_of_a_split(x):
    first, rest = np.split(x.copy(), [1])
    total = np.sum(rest**2)
    first[0] = total * np.ones(len(first[0]))
    return np.sum(first**2)


FUNCTIONS = [turned_by_einsum, diagonal_of_linalg, parts_of_a_split]


@pytest.mark.parametrize("shapes", [{}, {"x": "n n"}], ids=["none", "all"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_values_before_the_change_are_kept(function, shapes):
    if not hasattr(np.linalg, "diagonal") and function is diagonal_of_linalg:
        pytest.skip("this NumPy does not have it")
    x = np.random.default_rng(0).uniform(0.3, 1, (3, 3))
    found = gradgen.grad(function, shapes=shapes)(x.copy())
    want = numeric_gradient(lambda a: function(a.copy()), (x,), 0, 1.0).value
    np.testing.assert_allclose(found, want, rtol=1e-6)


def test_a_gradient_that_is_a_view_of_the_seed_is_copied():
    def turned(x):
        return np.einsum("ij->ji", x)

    x, seed = np.ones((2, 3)), np.ones((3, 2))
    for shapes in ({}, {"x": "n m"}):
        found = gradgen.grad(turned, shapes=shapes)(x, seed=seed)
        assert not np.shares_memory(found, seed)

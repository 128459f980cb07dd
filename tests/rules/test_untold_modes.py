"""Second derivatives of texts of unknown rank: helpers whose adjoints are tuples."""

import numpy as np
import pytest

import gradgen


def kron(x, y):
    return np.sum(np.kron(x, y))


def kron_of_first(x):
    return np.sum(np.kron(x, np.eye(2)))


def outer_of_sum(x, y):
    return np.sum(np.kron(y, 3 * x))


@pytest.mark.parametrize("form", [kron, kron_of_first, outer_of_sum])
def test_what_is_linear_has_no_curvature(form):
    space = {}
    exec(gradgen.emit(form, wrt="x", mode="hvp"), space)
    x, y = np.arange(6.0).reshape(2, 3), np.ones((3, 2))
    args = (x,) if form is kron_of_first else (x, y)
    found = space[f"hvp_{form.__name__}"](*args, np.ones_like(x))
    np.testing.assert_array_equal(found, np.zeros((2, 3)))

"""Whether a member of an enum is in a tuple, a list or a set is known."""

from enum import Enum

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Way(Enum):
    A = 1
    B = 2


TABLE = {Way.A: 2.0, Way.B: 3.0}


def in_tuple(x, way=Way.A):
    return np.sum(x**2) if way in (Way.A,) else np.sum(x)


def not_in_list(x, way=Way.A):
    if way not in [Way.A]:
        return np.sum(x**3)
    return np.sum(x)


def in_set(x, way=Way.A):
    return np.sum(x**3) if way in {Way.B} else np.sum(np.sin(x))


def in_dictionary(x, way=Way.A):
    return np.sum(x**2) * TABLE[way] if way in TABLE else np.sum(x)


@pytest.mark.parametrize("f", [in_tuple, not_in_list, in_set, in_dictionary])
def test_a_member_is_in_a_container(f):
    x = np.array([0.7, 1.2, 2.4])
    space = {}
    exec(gradgen.emit(f), space)
    found = (
        space[f"grad_{f.__name__}"](x),
        gradgen.grad(f)(x),
        gradgen.grad(f)(x, Way.B),
    )
    for one, way in zip(found, (Way.A, Way.A, Way.B), strict=True):
        want = numeric_gradient(lambda x: f(x, way), [x], 0).value  # noqa: B023
        np.testing.assert_allclose(one, want, rtol=1e-6)

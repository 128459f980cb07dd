"""An argument that is annotated as an integer is one place, no array of them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.arange(9.0).reshape(3, 3) / 10 + np.eye(3)


def angles(R, i: int, j: int, k: int):
    sign = 1 if (i, j, k) in ((0, 1, 2), (1, 2, 0)) else -1
    return float(np.arctan2(sign * R[j, k], R[k, k])) + float(np.sin(R[i, k]))


def gap(R, i: int, j=0):
    return np.sum((R[i] - R[j]) ** 2)


def entry(R, i: int, j: int):
    return np.sum(R[i, j] ** 2 * R[j, i])


@pytest.mark.parametrize(
    "f, places", [(angles, (0, 1, 2)), (gap, (2, 1)), (gap, (1,)), (entry, (0, 2))]
)
def test_texts_take_integers(f, places):
    text = gradgen.emit(f)
    assert "vector of integers" not in text
    space = {}
    exec(text, space)
    found = space[f"grad_{f.__name__}"](R, *places)
    want = numeric_gradient(lambda x: f(x, *places), (R,), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)


def test_what_nothing_tells_is_a_vector_as_before():
    def pairs(u, v, i, j):
        return np.sum((u[i] - v[j]) ** 2)

    assert "vector of integers" in gradgen.emit(pairs)

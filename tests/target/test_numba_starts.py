"""A number that becomes an array in a loop begins as one in a text for numba."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def squares(A):
    total = 0.0
    for i in range(len(A)):
        total = total + A[i] * A[i]
    return np.sum(total**2)


def of_a_list(A):
    total = sum([A[i] * 2 for i in range(len(A))])
    return np.sum(np.exp(total))


def rows(A):
    total = 0
    for row in A:
        total = total + row
    return np.sum(total**3)


def backwards(A):
    total = 1.5
    for i in range(len(A) - 1, 0, -1):
        total = total + A[i] * A[i - 1]
    return np.mean(total**2)


def from_the_right(A):
    total = 0
    for i in range(2):
        total = np.sin(A[i]) + total
    return np.sum(total * total)


def while_left(A):
    total, n = 0.0, 2
    while n > 0:
        total = total + A[n]
        n -= 1
    return np.sum(total**2)


def one_arm(A):
    total = A[0] * 2
    if A[1, 1] > 0:
        total = 0.0
    return np.sum(total**2)


def begins_anew(A):
    """Each round makes `work` anew: what it hands back to the round before is 0."""
    for i in range(1, 3):
        for _ in range(i, 4):
            work = np.tanh(1.5 * A)
            if A[0, 0] < 0.1:
                break
        else:
            work[:, i] -= 0.5 * np.log(1.5 + work[:, i] ** 2)
    return np.sum(work * work)


TAKEN = (squares, of_a_list, rows, backwards, from_the_right, begins_anew)


def text_of(function):
    return gradgen.emit(function, shapes={"A": "n m"}, target="numba")


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=[pytest.mark.libraries])]
)
@pytest.mark.parametrize("function", TAKEN, ids=lambda f: f.__name__)
def test_the_gradient_is_right(function, compiled):
    if compiled:
        pytest.importorskip("numba")
    A = np.random.default_rng(2).uniform(0.3, 1.2, (3, 4))
    found = function_of(text_of(function), compiled)(A)
    want = numeric_gradient(function, [A], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6)
    assert found.dtype == A.dtype


@pytest.mark.parametrize(
    "function", [squares, of_a_list, rows], ids=lambda f: f.__name__
)
def test_without_a_round_it_raises(function):
    """The value would be a number there, of another rank."""
    with pytest.raises(ValueError, match="total is a number"):
        function_of(text_of(function))(np.zeros((0, 4)))


@pytest.mark.parametrize("function", [while_left, one_arm], ids=lambda f: f.__name__)
def test_what_may_be_either_is_refused_with_its_line(function):
    with pytest.raises(GradgenError, match="GG713 total is a number") as refused:
        text_of(function)
    assert refused.value.line is not None

"""What an entry of an argument is, whose default is a list or a tuple of lists."""

import numpy as np
import pytest

import gradgen

X = np.array([0.4, 1.1, 1.7])


def of_rows(x, n=2, K=([0, 1], [1, 2])):
    return x[0] if isinstance(K[n - 1], list) else 2 * x[1]


def of_tuples(x, K=[(0, 1), (1, 2)]):  # noqa: B006
    return x[0] if isinstance(K[0], tuple) else 2 * x[1]


def of_entries_of_entries(x, K=([0, 1], [1, 2])):
    return x[0] if isinstance(K[1][0], list) else 2 * x[1]


def in_a_round(x, K=([0, 1], [1, 2])):
    total = 0.0
    for i in range(2):
        total = total + (x[i] if isinstance(K[i], (list, tuple)) else 2 * x[i])
    return total


def of_numbers(x, K=(0.5, 1.5)):
    return x[0] if isinstance(K[0], list) else K[1] * x[1]


def untold(x, K):
    return x[0] if isinstance(K[0], list) else 2 * x[1]


def untold_tuples(x, K):
    return x[0] if isinstance(K[0], (tuple, list)) else 2 * x[1]


def by_type(x, K):
    return x[0] if type(K[0]) is tuple else 2 * x[1]


def gone_over(x, K):
    total = 0.0
    for q in K:
        total = total + (x[0] if isinstance(q, tuple) else 2 * x[1])
    return total


FUNCTIONS = [of_rows, of_tuples, of_entries_of_entries, in_a_round, of_numbers]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_by_hand_and_as_text(function):
    want = [(function(X + e) - function(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(function)(X), want, 1e-6, 1e-8)
    space = {}
    exec(gradgen.emit(function), space)
    text = space["grad_" + function.__name__]
    np.testing.assert_allclose(text(X), want, 1e-6, 1e-8)


@pytest.mark.parametrize("function", [untold, untold_tuples, by_type, gone_over])
@pytest.mark.parametrize(
    "K", [[[0, 1], [1, 2]], [(0.5, 1.0), (1, 2)], ((0, 1), (1, 2)), np.ones((2, 2))]
)
def test_of_what_nothing_is_told(function, K):
    """By hand K is what it is; a text is right, or takes it for an array and says so."""
    step = 1e-6 * np.eye(3)
    want = [(function(X + e, K) - function(X - e, K)) / 2e-6 for e in step]
    np.testing.assert_allclose(gradgen.grad(function)(X, K), want, 1e-6, 1e-8)
    space = {}
    exec(gradgen.emit(function), space)
    try:
        found = space["grad_" + function.__name__](X, K)
    except ValueError as error:
        assert "taken for" in str(error)
        return
    np.testing.assert_allclose(found, want, 1e-6, 1e-8)

"""A guard on what only one arm of a branch computes stands in the gradient's own arm."""

import numpy as np
import pytest

import gradgen


def of_positive_ones(X, Y):
    total = 0.0
    for i in range(len(X)):
        if X[i, 0] > 0:
            n = np.sqrt(X[i] * Y[i] + Y[i])
            total = total + np.sum(X[i] / n)
        else:
            total = total + np.sum(X[i])
    return total


def of_either(X, Y):
    total = 0.0
    for i in range(len(X)):
        if X[i, 0] > 0:
            n = np.sqrt(Y[i])
            n = n * np.exp(-n)
        else:
            n = np.cos(X[i])
        total = total + np.sum(X[i] / n)
    return total


def of_rounds(X, Y):
    total = 0.0
    for i in range(len(X)):
        if X[i, 0] > 0:
            n = np.linalg.norm(X[i] * Y[i])
            for j in range(2):
                total = total + X[i, j] / n
                if total > 1:
                    m = np.linalg.norm(Y[i] * total)
                    total = total / m
    return total


FUNCTIONS = [of_positive_ones, of_either, of_rounds]
X = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 3.0], [2.0, -0.5]])
Y = np.array([[0.5, 1.0], [1.0, 2.0], [2.0, 0.3], [1.0, 3.0]])
SHAPES = {"X": "n 2", "Y": "n 2"}


@pytest.mark.parametrize("guard", [True, 1e-8])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_both_arms_are_taken(function, guard):
    plain = gradgen.grad(function, ("X", "Y"), shapes=SHAPES, guard=False)(X, Y)
    gradient = gradgen.grad(function, ("X", "Y"), shapes=SHAPES, guard=guard)
    for one, other in zip(plain, gradient(X, Y), strict=True):
        assert np.isfinite(one).all() and np.array_equal(one, other), gradient.source


def test_a_zero_in_an_arm():
    """Row 0 has a zero under its root: what is divided by it is 0."""
    rows = Y.copy()
    rows[0, 1] = 0
    gradient = gradgen.grad(of_positive_ones, ("X", "Y"), shapes=SHAPES, guard=True)
    with np.errstate(all="ignore"):
        d_X, _ = gradient(X, rows)
    plain = gradgen.grad(of_positive_ones, ("X", "Y"), shapes=SHAPES)
    want, _ = plain(X, Y)
    assert np.array_equal(d_X[1:], want[1:]) and d_X[0, 0] == want[0, 0]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_guard_stands_behind_the_test(function):
    text = gradgen.emit(function, ("X", "Y"), shapes=SHAPES, guard=True)
    lines = text.partition("reversed(")[2].splitlines()
    guards = [line for line in lines if "# guard" in line]
    arms = [line for line in lines if line.lstrip().startswith("if ")]
    outer = len(arms[0]) - len(arms[0].lstrip())
    assert guards
    if function is not of_either:  # where n has a value in both arms
        assert all(len(g) - len(g.lstrip()) > outer for g in guards), text

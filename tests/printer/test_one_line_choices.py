"""A conditional expression of the user's stays one in the text."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(7)


def left_out(x, s=None):
    h = np.zeros(len(x)) if s is None else s
    return np.sum(np.tanh((h + 1) * x))


def entries(x, u):
    h = x[0] if u > 0 else x[1]
    return np.sum(x * h**2)


def inside(x, u):
    t = 2 * (x if u > 0 else -x) + np.sin(x)
    return np.sum(t**3)


def rounds(x, u):
    total = 0.0
    for i in range(len(x)):
        d = x[i] if u[i] > 0 else np.exp(x[i])
        total += d**2
    return total


X, SIGNS = R.normal(size=4), np.array([1.0, -1.0, -1.0, 1.0])
CASES = [
    (left_out, (X,), "h = np.zeros(len(x)) if s is None else s"),
    (left_out, (X, R.normal(size=4)), "h = np.zeros(len(x)) if s is None else s"),
    (entries, (X, 1.0), "h = x[0] if u > 0 else x[1]"),
    (entries, (X, -1.0), "h = x[0] if u > 0 else x[1]"),
    (inside, (X, 1.0), "x if u > 0 else -x"),
    (inside, (X, -1.0), "x if u > 0 else -x"),
    (rounds, (X, SIGNS), "d = x[i] if test else np.exp(x[i])"),
]


@pytest.mark.parametrize("function, args, line", CASES)
def test_the_line_stays(function, args, line):
    text = gradgen.emit(function)
    assert line in text
    space: dict = {}
    exec(text, space)
    found = space[f"grad_{function.__name__}"](*args)
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def statement(x, u):
    if u > 0:
        h = np.sin(x)
    else:
        h = x
    return np.sum(h**2)


def long(x, threshold_of_the_second_kind):
    rescaled_input = (
        np.exp(-np.abs(x)) * np.cos(x) if threshold_of_the_second_kind else x
    )
    return np.sum(rescaled_input**2)


@pytest.mark.parametrize("function", [statement, long])
def test_statements_and_what_is_too_long_are_branches(function):
    text = gradgen.emit(function)
    own = text.partition("import numpy")[2].split("\n")
    assert "    else:" in own and max(map(len, own)) <= 88

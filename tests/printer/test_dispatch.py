"""Chains of tests of one value stay chains, where the first arm has nothing to do."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_text(x, kind="relu"):
    if kind == "relu":
        y = np.maximum(x, 0)
    elif kind == "tanh":
        y = np.tanh(x)
    elif kind == "soft":
        y = np.log1p(np.exp(x))
    else:
        raise ValueError(kind)
    return np.sum(y)


def with_a_rest(x, kind="relu"):
    if kind == "relu":
        y = 2 * x
    elif kind == "tanh":
        y = np.tanh(x)
    else:
        y = np.exp(x)
    return np.sum(y)


def without_a_rest(x, kind="relu"):
    y = x
    if kind == "relu":
        y = 2 * x
    elif kind == "tanh":
        y = np.tanh(x)
    elif kind == "soft":
        y = np.exp(x)
    return np.sum(y)


def by_number(x, kind=1):
    if kind == 1:
        y = 2 * x
    elif kind == 2:
        y = np.tanh(x)
    elif kind == 3:
        y = np.exp(x)
    else:
        raise ValueError(kind)
    return np.sum(y)


CHAINS = {
    by_text: ("relu", "tanh", "soft", "else"),
    with_a_rest: ("relu", "tanh", "else"),
    without_a_rest: ("relu", "tanh", "soft", "else"),
    by_number: (1, 2, 3, 4),
}
X = np.array([0.5, -1.5, 2.0])


@pytest.mark.parametrize("function", CHAINS, ids=lambda f: f.__name__)
def test_a_chain_stays_one(function):
    text = gradgen.emit(function, shapes={"x": "n"})
    first = repr(CHAINS[function][0]).replace("'", '"')
    tests = [line for line in text.splitlines() if line.startswith("    if kind")]
    assert tests == [f"    if kind == {first}:"]  # both halves go along one chain
    assert "    elif kind == " in text
    assert f"    if kind != {first}:\n        if" not in text
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    emitted = space[f"grad_{function.__name__}"]
    for kind in CHAINS[function]:
        try:
            function(X, kind)
        except ValueError:
            with pytest.raises(ValueError, match=str(kind)):
                emitted(X, kind)
            continue
        truth = numeric_gradient(function, (X, kind), 0).value
        np.testing.assert_allclose(emitted(X, kind), truth, rtol=1e-7)


def two_values(x, kind="relu", other="b"):
    if kind == "relu":
        y = 2 * x
    elif other == "tanh":
        y = np.tanh(x)
    else:
        y = np.exp(x)
    return np.sum(y)


def the_same_again(x, kind="relu"):
    if kind == "relu":
        y = 2 * x
    elif kind == "relu":
        y = np.tanh(x)
    else:
        y = np.exp(x)
    return np.sum(y)


def greater(x, kind=1):
    if kind == 1:
        y = 2 * x
    elif kind > 0:
        y = np.tanh(x)
    else:
        y = np.exp(x)
    return np.sum(y)


OTHERS = {two_values: ("relu", "tanh"), the_same_again: ("relu", "a"), greater: (1, 2)}


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_tests_that_may_both_be_true_stay_inside(function):
    space = {}
    text = gradgen.emit(function, shapes={"x": "n"})
    exec(compile(text, "<text>", "exec"), space)
    for first in OTHERS[function]:
        for second in ("tanh", "b"):
            more = (first, second) if function is two_values else (first,)
            truth = numeric_gradient(function, (X, *more), 0).value
            found = space[f"grad_{function.__name__}"](X, *more)
            np.testing.assert_allclose(found, truth, rtol=1e-7)

"""Lengths that are one at a call, and that keep a variable's shape in loops and arms."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def recurrent(W, U, b, x):
    h = np.zeros(U.shape[0])
    for t in range(len(x)):
        h = np.tanh(x[t] @ W + h @ U + b)
    return np.sum(h * h)


def replaced(W, x, h):
    for t in range(2):
        h = np.tanh(x @ W) * (t + 1.0)
    return np.sum(h * h)


def chosen(W, x, h):
    if np.sum(x) > 0.0:
        y = x @ W
    else:
        y = 2.0 * h
    return np.sum(y * y)


def repeated(W, h):
    while np.sum(h * h) > 0.05:
        h = 0.3 * np.tanh(h @ W)
    return np.sum(h * np.cos(h))


def drawn(*shapes):
    rng = np.random.default_rng(3)
    return [rng.uniform(0.1, 0.6, shape) for shape in shapes]


CASES = {
    "recurrent": (
        recurrent,
        {"W": "n m", "U": "m m", "b": "m", "x": "t n"},
        [((2, 3), (3, 3), (3,), (4, 2)), ((5, 2), (2, 2), (2,), (1, 5))],
    ),
    "replaced": (
        replaced,
        {"W": "n m", "x": "n", "h": "m"},
        [((2, 3), (2,), (3,)), ((4, 2), (4,), (2,))],
    ),
    "chosen": (
        chosen,
        {"W": "n m", "x": "n", "h": "m"},
        [((2, 3), (2,), (3,)), ((4, 2), (4,), (2,))],
    ),
    "repeated": (repeated, {"W": "n n", "h": "n"}, [((3, 3), (3,)), ((2, 2), (2,))]),
}


def body(source):
    return source.partition('"""')[2].partition('"""')[2]


def right(function, g, args):
    for i, found in enumerate(g(*args)):
        want = numeric_gradient(function, args, i).value
        assert found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_the_text_is_the_one_of_all_facts(name):
    function, facts, sizes = CASES[name]
    wrt = tuple(facts)
    g = gradgen.grad(function, wrt=wrt)
    for shapes in sizes:
        right(function, g, drawn(*shapes))
    told = gradgen.grad(function, wrt=wrt, shapes=facts)
    assert body(g.source) == body(told.source)
    assert "_unbroadcast" not in g.source


OTHERS = {
    "replaced": ((2, 3), (2,), (4,)),
    "chosen": ((2, 3), (2,), (5,)),
    "repeated": ((3, 3), (3,)),
}


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", OTHERS)
def test_other_lengths_have_a_text_of_their_own(name, first):
    function, facts, sizes = CASES[name]
    g = gradgen.grad(function, wrt=tuple(facts))
    calls = [drawn(*sizes[0]), drawn(*OTHERS[name])]
    for args in (calls if first else calls[::-1]) * 3:
        right(function, g, args)

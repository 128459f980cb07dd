"""Adjoints of lists that loops fill: by the round's number, or taken from the end."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def two(x, w):
    hs, us = [], [x[0]]
    h = np.zeros(2)
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        hs.append(h)
        us.append(h * 2.0)
    return np.sum(np.array(hs) ** 2) * np.sum(np.array(us)[1:])


def arm(x, w):
    hs = []
    h = 0.0
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        if h > 0:
            hs.append(h)
        else:
            hs.append(-h)
    return np.sum(np.array(hs) ** 2)


def some(x, w):
    hs = []
    h = 0.0
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        if h > 0:
            hs.append(h)
    return np.sum(np.array(hs) ** 2)


def twice(x, w):
    hs = []
    h = 0.0
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        hs.append(h)
        hs.append(h * h)
    return np.sum(np.array(hs) ** 2)


def loops(x, w):
    hs = []
    h = 0.0
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        hs.append(h)
    for t in range(len(x)):
        hs.append(h * x[t])
    return np.sum(np.array(hs) ** 2)


def nested(x, w):
    total = 0.0
    for k in range(2):
        hs = []
        h = 0.1 * k
        for t in range(len(x)):
            h = np.tanh(w * h + x[t])
            hs.append(h)
        total += np.sum(np.array(hs) ** 2)
    return total


def kept(x, w):
    hs = []
    h = 0.1
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        hs.append(h)
    a = np.array(hs)
    return np.sum(a**2) + a[0]


def last(x, w):
    hs = [0.3]
    for t in range(len(x)):
        hs.append(np.tanh(w * hs[-1] + x[t]))
    return np.sum(np.array(hs) ** 2) + hs[-1]


def rows(x, w):
    hs = []
    h = np.zeros(2)
    for t in range(len(x)):
        h = np.tanh(w * h + x[t])
        hs.append(h)
    H = np.stack(hs)
    return np.sum(H[:, 0] ** 2 * H[:, 1])


FUNCTIONS = (two, arm, some, twice, loops, nested, kept, last, rows)
BY_NUMBER = (kept, rows)


@pytest.mark.parametrize("is_told", [False, True], ids=["", "told"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_measured(f, is_told):
    x = np.random.default_rng(3).normal(size=(5, 2) if f in (two, rows) else 5)
    told = {"x": "n 2" if x.ndim > 1 else "n", "w": ""} if is_told else {}
    text = gradgen.emit(f, ("x", "w"), shapes=told)
    assert not is_told or f not in BY_NUMBER or ".pop()" not in text, text
    space: dict = {}
    exec(text, space)
    for count in (5, 1):
        args = x[:count], 0.7
        found = space[f"grad_{f.__name__}"](*args)
        for i, one in enumerate(found):
            want = numeric_gradient(f, args, i).value
            assert np.shape(one) == np.shape(args[i])
            np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)

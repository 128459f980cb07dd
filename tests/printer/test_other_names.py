"""Where a name is taken, the next one is a word, the same wherever a value is one."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

RANDOM = np.random.default_rng(4)


def rounds(x, w, n):
    for _ in range(n):
        old = x
        x = np.tanh(w * x)
        x = x + old * x
    return np.sum(x**2)


def two_solves(A, b, c):
    y = np.linalg.solve(A, b)
    z = np.linalg.solve(A, c)
    return np.sum(y * z)


def gain(S, b, C, d):
    K = np.linalg.solve(S, np.sin(C))
    w = np.linalg.solve(S, np.sin(b))
    return np.sum(np.sin(K @ d)) + w @ w


def stages(x, y):
    def rate(x, y):
        xy = x * y
        return np.sin(xy) * xy

    x1 = rate(x, y)
    y1 = np.cos(x1)
    x2 = x + x1
    y2 = y - y1
    return np.sum(rate(x2, y2))


def by_halves(x, n):
    y = x * x
    if n > 1:
        x = np.sin(x) * y
    else:
        x = np.cos(y)
    return np.sum(x * y)


def in_arms(x, w, n):
    for i in range(n):
        if i % 2:
            x = np.sin(x) * w
        else:
            x = w * x + x
    return np.sum(x)


FUNCTIONS = {
    rounds: {"x": "k", "w": "k", "n": ""},
    two_solves: {"A": "k k", "b": "k", "c": "k"},
    stages: {"x": "k", "y": "k"},
    by_halves: {"x": "k", "n": ""},
    in_arms: {"x": "k", "w": "k", "n": ""},
}
DRAWN = {"": 3, "k": RANDOM.normal(size=4), "k k": RANDOM.normal(size=(4, 4))}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_no_name_gets_a_number(function):
    told = FUNCTIONS[function]
    wrt = tuple(name for name in told if name != "n")
    text = gradgen.emit(function, wrt, shapes=told)
    assert not re.search(r"\b\w+_\d+\b", text)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_are_those_of_differences(function):
    told = FUNCTIONS[function]
    wrt = tuple(name for name in told if name != "n")
    given = [np.copy(DRAWN[shape])[()] for shape in told.values()]
    given = [int(one) if np.ndim(one) == 0 else one for one in given]
    found = gradgen.grad(function, wrt, shapes=told)(*given)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(function, given, at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


def test_a_rule_s_value_is_called_by_the_line_it_is_of():
    told = {"S": "k k", "b": "k", "C": "k k", "d": "k"}
    text = gradgen.emit(gain, ("S", "b", "C"), shapes=told)
    assert " flow = np.linalg.solve(S.T, " in text
    assert " K_flow = np.linalg.solve(S.T, " in text


def test_callbacks_are_called_by_their_values(tmp_path):
    source = """
    def layer(x, w):
        return np.tanh(x * w)

    def f(x, w, v):
        h = layer(x, w)
        k = layer(h, v)
        return np.sum(h * k)
    """
    function = written(source, tmp_path)
    told = {"x": "n", "w": "n", "v": "n"}
    text = gradgen.emit(function, "w", shapes=told, keep_calls=True)
    assert "h, backprop_h = " in text and "k, backprop_k = " in text

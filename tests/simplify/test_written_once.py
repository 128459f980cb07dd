"""Adjoints that are the same, or each other's negative, are computed once."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def hinge(W, X, y):
    scores = X @ W
    correct = scores[np.arange(len(y)), y]
    margins = np.maximum(0, scores - correct[:, None] + 1)
    margins[np.arange(len(y)), y] = 0
    return np.sum(margins) / len(y)


def sides(x, a, b):
    m = x @ a
    n = x @ b
    return np.sum((1 - m - n) ** 2) - (m + n) * np.sum(x)


def clipped(W, X, b):
    h = X @ W
    gap = h - b
    return np.sum(np.where(gap > 0.1, np.sin(gap) * h, 0) ** 2)


def power(x, p):
    return np.sum(x**p)


def powers(x, p):
    return np.sum(x**-p * (1 + x) ** (p - 3))


RNG = np.random.default_rng(4)
X, W = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 4))
Y = np.array([0, 3, 1, 2, 1])
POSITIVE = RNG.uniform(0.3, 1.5, 4)
# function -> arguments, facts, what it is a gradient of, and what is in its text
CASES = {
    hinge: (
        (W, X, Y),
        ("d c", "n d", "n:int"),
        1,
        ["d_correct = -np.sum(d_scores, axis"],
    ),
    sides: (
        (X[0], W[:, 0], W[:, 1]),
        ("n", "n", "n"),
        3,
        ["d_b = d_m * x", "d_a = d_m * x"],
    ),
    clipped: ((W, X, W[0]), ("d c", "n d", "c"), 3, []),
    power: ((POSITIVE, 2.5), ("n", ""), 2, ["p * x ** (p - (p != 0))"]),
    powers: ((POSITIVE, 2.5), ("n", ""), 2, ["x ** (-p - (p != 0))"]),
}


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_the_text_and_its_numbers(function):
    args, facts, count, parts = CASES[function]
    names = function.__code__.co_varnames[: len(args)]
    wrt = names[:count]
    told = dict(zip(names, facts, strict=True))
    text = gradgen.emit(function, wrt=wrt, shapes=told)
    assert all(part in text for part in parts), text
    namespace = {}
    exec(text, namespace)
    found = namespace[f"grad_{function.__name__}"](*args)
    for i, one in enumerate(found if count > 1 else (found,)):
        want = numeric_gradient(function, list(args), i, 1.0).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("p", [0, 1, 2, 0.0, 3.5, -1.5, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_number_as_an_exponent_keeps_the_dtype(p, dtype):
    text = gradgen.emit(power, wrt="x", shapes={"x": "n", "p": ""})
    namespace = {}
    exec(text, namespace)
    x = POSITIVE.astype(dtype)
    found = namespace["grad_power"](x, p)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, p * x ** (p - 1.0), rtol=1e-5)
    assert p or not np.any(namespace["grad_power"](np.zeros(2, dtype), p))

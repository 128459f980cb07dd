"""One operation has a line, or stands inside of another, where two would be computed."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(61)
X = DRAWN.uniform(0.5, 1.5, (4, 3))
V = DRAWN.uniform(0.5, 1.5, 3)
S = DRAWN.normal(0, 1, (3, 3)) + 4 * np.eye(3)


def gaps(X, v, S):
    return np.sum((v[:-1] - v[1:]) ** 3)


def logarithms(X, v, S):
    return np.sum(v * (np.log(v) - np.log(v + 1)))


def pairs(X, v, S):
    total = 0.0
    for i in range(len(X)):
        for j in range(i):
            total += 1 / np.linalg.norm(X[i] - X[j])
    return total


def distance(X, v, S):
    return np.sqrt(v @ np.linalg.inv(S) @ v)


def quadratic(X, v, S):
    P = np.linalg.inv(S @ S.T)
    return v @ P @ v + np.sum(P)


def lengths(X, v, S):
    r = np.linalg.norm(X - v, axis=1)
    return np.sum(np.tanh(r))


def two_lengths(X, v, S):
    near = np.linalg.norm(X - v, axis=1)
    far = np.sqrt(np.sum(X**2, axis=1))
    return np.sum(near / far)


CASES = [gaps, logarithms, pairs, distance, quadratic, lengths, two_lengths]
SHAPES = {"X": "n m", "v": "m", "S": "m m"}
THERE = {
    gaps: "diff = v[:-1] - v[1:]",
    logarithms: "diff = np.log(v) - np.log(v + 1)",
    pairs: " = X[i] - X[j]",
    distance: "d_S = np.outer(",
    lengths: "(d_r / r)[:, None]",
    two_lengths: "(d_near / near)[:, None]",
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    found = gradgen.grad(f, wrt=("X", "v", "S"), shapes=shapes)(X, V, S)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [X, V, S], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("f", THERE, ids=lambda f: f.__name__)
def test_as_by_hand(f):
    wrt = {"pairs": "X", "distance": ("v", "S"), "lengths": "X", "two_lengths": "X"}
    text = gradgen.emit(f, wrt=wrt.get(f.__name__, "v"), shapes=SHAPES, value=True)
    assert THERE[f] in text, text

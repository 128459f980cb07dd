"""Whole numbers among the arguments that are lengths of arrays: np.zeros(n)."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import right_or_raised

R = np.random.default_rng(21)


def recurrent(X, Wx, Wh, hidden):
    h = np.zeros(hidden)
    for x in X:
        h = np.tanh(Wx @ x + Wh @ h)
    return np.sum(h**2)


def filled(x, n):
    w = np.zeros(n)
    for i in range(n):
        w[i] = x[i] ** 2
    return np.sum(w * x)


def table(A, n, k):
    out = np.zeros((n, k))
    for i in range(n):
        out[i] = A[i] * i
    return np.sum((out - A) ** 2)


def long_enough(x, n):
    h = np.zeros(n)
    for t in range(len(x)):
        h = np.tanh(h + x[t])
    return np.sum(h)


def of_a_shape(x, shape):
    return np.sum((np.zeros(shape) - x) ** 2)


def volatility(y, T, omega, alpha, beta):
    sig2 = np.zeros(T)
    sig2[0] = np.var(y)
    for t in range(1, T):
        sig2[t] = omega + alpha * y[t - 1] ** 2 + beta * sig2[t - 1]
    return -0.5 * np.sum(np.log(sig2) + y**2 / sig2)


X, Wx, Wh = R.normal(size=(4, 2)), R.normal(size=(3, 2)), R.normal(size=(3, 3))
SEVERAL = {"n": [1, 2, 3, 5, (3,), np.array(3)], "hidden": [1, 2, 4, (3,)], "k": [1, 2]}
NARROW = {
    "Wx": [R.normal(size=(1, 2)), R.normal(size=2)],
    "Wh": [R.normal(size=(1, 1))],
}
OTHERS = {
    **SEVERAL,
    **NARROW,
    "x": [R.normal(size=1), R.normal(size=2), R.normal(size=(3, 1))],
    "X": [R.normal(size=(0, 2)), R.normal(size=(4, 1))],
    "A": [R.normal(size=(1, 2)), R.normal(size=2), R.normal(size=(3, 1))],
    "T": [1, 2, 5],
    "shape": [(2, 3), (1,), 1, (3, 1)],
}
RIGHT = [
    (recurrent, (X, Wx, Wh, 3), "hidden"),
    (filled, (R.normal(size=3), 3), "n"),
    (table, (R.normal(size=(3, 2)), 3, 2), "n k"),
    (long_enough, (R.normal(size=4), 3), ""),
    (volatility, (np.abs(R.normal(size=5)) + 0.5, 5, 0.2, 0.3, 0.4), "T"),
]


@pytest.mark.parametrize(
    "function, args, letters", RIGHT, ids=[one.__name__ for one, *_ in RIGHT]
)
def test_axes_are_as_long_as_the_arguments_say(function, args, letters):
    text = right_or_raised(function, args, OTHERS)
    assert "def _" not in text
    (shapes,) = [
        part for part in text.split("\n\n") if part.strip().startswith("Shapes")
    ]
    for letter in letters.split():
        assert f"{letter} int" in shapes
        assert any(f"{a}{letter}{b}" in shapes for a in "( " for b in "),")


def test_a_shape_may_be_of_several_lengths():
    text = right_or_raised(of_a_shape, (R.normal(size=3), 3), OTHERS)
    assert "whole number" not in text


class Cell:
    def __init__(self, n_in, n_hidden):
        self.n_hidden = n_hidden
        self.Wx = R.normal(size=(n_hidden, n_in))
        self.Wh = R.normal(size=(n_hidden, n_hidden))
        self.b = np.zeros(n_hidden)

    def forward(self, X):
        h = np.zeros(self.n_hidden)
        for x in X:
            h = np.tanh(self.Wx @ x + self.Wh @ h + self.b)
        return h


class Series:
    def __init__(self, Y):
        self.Y = Y
        self.T = len(Y)

    def likelihood(self, omega, alpha, beta):
        return volatility(self.Y, self.T, omega, alpha, beta)


def test_a_class_tells_which_of_its_numbers_are_lengths():
    text = gradgen.emit(Cell.forward)
    assert "def _" not in text
    space: dict = {}
    exec(text, space)
    cell, seed = Cell(2, 3), R.normal(size=3)
    want = numeric_gradient(cell.forward, (X,), 0, seed).value
    np.testing.assert_allclose(space["grad_forward"](cell, X, seed), want, rtol=1e-6)
    cell.n_hidden = 1  # which NumPy stretches, where it takes it
    with pytest.raises(ValueError, match=r"expected self.Wx \(n_hidden, n_in\)"):
        space["grad_forward"](cell, X, seed)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Gates:
    def __init__(self, n_in, hidden):
        self.hidden = hidden
        self.W = R.normal(size=(n_in + hidden, 2 * hidden))
        self.b = np.zeros(2 * hidden)

    def forward(self, X):
        n = self.hidden
        h = np.zeros(n)
        for x in X:
            z = np.concatenate([x, h]) @ self.W + self.b
            h = sigmoid(z[:n]) * np.tanh(z[n:])
        return h


def test_sections_of_a_length_that_a_class_tells():
    text = gradgen.emit(Gates.forward)
    assert "def _" not in text and "full_like" not in text
    space: dict = {}
    exec(text, space)
    gates, seed = Gates(2, 3), R.normal(size=3)
    want = numeric_gradient(gates.forward, (X,), 0, seed).value
    np.testing.assert_allclose(space["grad_forward"](gates, X, seed), want, rtol=1e-6)
    gates.hidden = 2
    with pytest.raises(ValueError, match="expected self.W"):
        space["grad_forward"](gates, X, seed)


def test_a_length_that_init_counts():
    text = gradgen.emit(Series.likelihood)
    assert "def _" not in text
    space: dict = {}
    exec(text, space)
    series, args = Series(np.abs(R.normal(size=5)) + 0.5), (0.2, 0.3, 0.4)
    want = numeric_gradient(series.likelihood, args, 0).value
    found = space["grad_likelihood"](series, *args)
    np.testing.assert_allclose(found, want, rtol=1e-6)
    series.T = 4
    with pytest.raises(ValueError, match="expected self.Y"):
        space["grad_likelihood"](series, *args)


class Heads:
    def __init__(self, d_model, n_heads, d_hidden, rng):
        self.q, self.k, self.v = rng.random((3, d_model, n_heads, d_hidden))
        self.b = rng.random((n_heads, d_hidden, d_model))

    def forward(self, x):
        q = np.einsum("bsd,dhm->bshm", x, self.q)
        k = np.einsum("bsd,dhm->bshm", x, self.k)
        v = np.einsum("bsd,dhm->bshm", x, self.v)
        a = np.exp(np.einsum("bshm,bthm->bsth", q, k))
        z = np.einsum("bsth,bthm->bshm", a, v)
        return np.einsum("bshm,hmd->bsd", z, self.b)


def test_no_axis_is_held_against_itself():
    for wrt in ("x", "self.q", "self.b"):
        tests = re.findall(
            r"(np\.shape\(\w+\)\[\d\]) != (.*)", gradgen.emit(Heads.forward, wrt)
        )
        assert all(one != other for one, other in tests)


def summed(x, n, y):
    h = np.zeros(n)
    for i in range(n):
        h[i] = y[i] * 2
    return np.sum(h * y) * np.mean(x)


def described(x, n, y):
    """Sum.

    Parameters
    ----------
    x : ndarray of shape (n,)
    n : int
    y : ndarray
    """
    h = np.zeros(n)
    for i in range(n):
        h[i] = y[i] * 2
    return np.sum(h * y) * np.mean(x)


def annotated(x: 'Float[np.ndarray, "n"]', n: int, y):  # noqa: F722, F821
    h = np.zeros(n)
    for i in range(n):
        h[i] = y[i] * 2
    return np.sum(h * y) * np.mean(x)


@pytest.mark.parametrize(
    "function, told", [(summed, {"x": "n"}), (described, {}), (annotated, {})]
)
def test_a_letter_that_is_told_may_be_another_length(function, told):
    """Nobody looks whether n of --shape x=n is the argument n."""
    space: dict = {}
    exec(gradgen.emit(function, ("x", "y"), shapes=told), space)
    args = R.normal(size=5), 3, R.normal(size=3)
    found = space[f"grad_{function.__name__}"](*args)
    for one, place in zip(found, (0, 2)):
        want = numeric_gradient(function, args, place).value
        assert np.shape(one) == np.shape(want)
        np.testing.assert_allclose(one, want, rtol=1e-6)

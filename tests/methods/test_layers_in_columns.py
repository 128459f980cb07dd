"""Texts of classes of which nothing is told, called with instances that people have.

Examples in columns with biases of one column, lists of matrices that zip goes through,
losses that are sums of products or of items: each is right by its class, its instance,
an example and a call.
"""

import copy

import numpy as np
import pytest

import gradgen

RNG = np.random.default_rng(491)


def real(*shape):
    return RNG.normal(size=shape)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-np.clip(z, -20, 20)))


class Columns:
    def __init__(self, w1, b1, w2, b2, decay=0.01):
        self.w1, self.b1, self.w2, self.b2 = w1, b1, w2, b2
        self.decay = decay

    def evaluate(self, X):
        h = np.maximum(0, np.dot(self.w1, X) + self.b1)
        s = np.exp(np.dot(self.w2, h) + self.b2)
        return s / np.dot(np.ones(s.shape[0]), s)

    def cost(self, X, Y):
        p = np.sum(Y * self.evaluate(X), axis=0)
        penalty = self.decay * (np.sum(self.w1**2) + np.sum(self.w2**2))
        return np.sum(-np.log(p)) / X.shape[1] + penalty


class Stack:
    def __init__(self, weights, biases):
        self.weights, self.biases = weights, biases

    def forward(self, x):
        a = x
        for W, b in zip(self.weights, self.biases):
            a = sigmoid(np.dot(W, a) + b)
        return a

    def cost(self, x, y):
        return 0.5 * np.linalg.norm(self.forward(x) - y) ** 2


class Normalised:
    def __init__(self, W, b, gamma):
        self.W, self.b, self.gamma = W, b, gamma

    def cost(self, X, y):
        S = X
        for W, b, gamma in zip(self.W[:-1], self.b[:-1], self.gamma):
            S = W.dot(S) + b
            mean, var = S.mean(axis=1, keepdims=True), S.var(axis=1)
            S = np.tanh(gamma * (S - mean) / np.sqrt(var[:, None] + 1e-3))
        S = self.W[-1].dot(S) + self.b[-1]
        P = np.exp(S) / np.sum(np.exp(S), axis=0, keepdims=True)
        return -np.log(P[y, np.arange(X.shape[1])]).mean()


class Dots:
    def __init__(self, theta):
        self.theta = theta

    def cost(self, X, y):
        h = 1 / (1 + np.exp(-np.dot(X, self.theta)))
        ones, zeros = np.dot(-y, np.log(h)), np.dot((1 - y), np.log(1 - h))
        return np.sum(np.subtract(ones, zeros)) / len(y)


class Items:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def predict(self, X):
        return [self.w * x + self.b for x in X]

    def cost(self, X, y):
        found = self.predict(X)
        return sum((one - other) ** 2 for one, other in zip(found, y)) / len(y)


class Turned:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def cost(self, X, Y):
        A = 1 / (1 + np.exp(-(np.dot(self.w.T, X) + self.b)))
        return np.sum(-Y * np.log(A) - (1 - Y) * np.log(1 - A)) / X.shape[1]


EXAMPLES = real(3, 5)
CASES = [
    (
        Columns(real(4, 3), real(4, 1), real(2, 4), real(2, 1)),
        (EXAMPLES, np.eye(2)[[0, 1, 1, 0, 1]].T),
        ["self.w1", "self.b1", "self.b2", "X"],
    ),
    (
        Stack([real(4, 3), real(2, 4)], [real(4, 1), real(2, 1)]),
        (real(3, 1), real(2, 1)),
        ["self.weights", "self.biases", "x"],
    ),
    (
        Normalised([real(4, 3), real(2, 4)], [real(4, 1), real(2, 1)], [real(4, 1)]),
        (EXAMPLES, np.array([0, 1, 1, 0, 1])),
        ["self.W", "self.b", "self.gamma", "X"],
    ),
    (Dots(real(3)), (real(5, 3), np.array([0, 1, 1, 0, 1.0])), ["self.theta", "X"]),
    (Items(0.7, 0.2), (real(5), real(5)), ["self.w", "self.b"]),
    (
        Turned(real(3, 1), 0.2),
        (EXAMPLES, np.array([[0, 1, 1, 0, 1.0]])),
        ["self.w", "X"],
    ),
]
PAIRS = [(one, args, wrt) for one, args, every in CASES for wrt in every]
IDS = [f"{type(one).__name__}-{wrt}" for one, _, wrt in PAIRS]


def leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    return [np.asarray(value, float)]


def with_leaves(value, given):
    if isinstance(value, (list, tuple)):
        return [with_leaves(one, given) for one in value]
    one = next(given)
    return one if np.ndim(value) else float(one)


def differences(one, args, wrt):
    """The gradient by central differences, a list of its leaves."""
    own = wrt.startswith("self.")
    names = type(one).cost.__code__.co_varnames[1:]
    at = wrt[5:] if own else names.index(wrt)
    start = getattr(one, at) if own else args[at]

    def value(x):
        other, given = copy.copy(one), list(args)
        if own:
            setattr(other, at, x)
        else:
            given[at] = x
        return other.cost(*given)

    every, found = leaves(start), []
    for i, leaf in enumerate(every):
        gradient = np.zeros_like(leaf)
        for place in np.ndindex(leaf.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [x.copy() for x in every]
                moved[i][place] += step
                ends.append(value(with_leaves(start, iter(moved))))
            gradient[place] = (ends[0] - ends[1]) / 2e-6
        found.append(gradient)
    return found


@pytest.mark.parametrize("one, args, wrt", PAIRS, ids=IDS)
def test_by_its_class_its_instance_an_example_and_a_call(one, args, wrt):
    expected = differences(one, args, wrt)
    found = [gradgen.grad(one.cost, wrt=wrt)(*args)]
    for function, told in (
        (type(one).cost, {}),
        (one.cost, {}),
        (one.cost, {"example": args}),
    ):
        names: dict = {}
        exec(gradgen.emit(function, wrt=wrt, **told), names)
        found.append(names["grad_cost"](one, *args))
    for gradient in found:
        for got, want in zip(leaves(gradient), expected, strict=True):
            assert got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)

"""What is left without a rank stretches nothing; main operands, totals, states of loops."""

import numpy as np
import pytest
import scipy.linalg

import gradgen
from gradgen.pipeline.attempts import statements_in
from gradgen.verify.finite import numeric_gradient
from tests.signature.test_two_axes import assumed, drawn, run


def poisson(beta, X, y, offset):
    eta = X @ beta + offset
    return np.sum(np.exp(eta)) - y @ eta


def factors(U, V, ratings, known):
    return np.sum((known * (U @ V.T - ratings)) ** 2)


def kernel(log_scale, log_height, X, y):
    Z = X / np.exp(log_scale)
    squares = np.sum(Z**2, axis=1)
    gaps = squares[:, None] + squares[None, :] - 2 * Z @ Z.T
    return y @ (np.exp(2 * log_height) * np.exp(-0.5 * gaps)) @ y


def centres(means, X, log_scales, logits):
    scaled = (X[:, None, :] - means) * np.exp(-log_scales)
    parts = logits - np.sum(log_scales, axis=1) - 0.5 * np.sum(scaled**2, axis=2)
    return np.sum(np.log(np.sum(np.exp(parts), axis=1)))


def groups(x, gamma, target):
    mean = np.mean(x, axis=(2, 3), keepdims=True)
    return np.sum((gamma[:, :, None] * (x - mean) - target) ** 2)


def regression(phi, sigma, y):
    loss = 0.0
    for t in range(len(phi), len(y)):
        guess = 0.0
        for k in range(len(phi)):
            guess += phi[k] * y[t - 1 - k]
        loss += 0.5 * ((y[t] - guess) / sigma) ** 2 + np.log(sigma**2)
    return loss


def volatility(omega, a, b, returns):
    variance, loss = omega**2, 0.0
    for t in range(len(returns)):
        square = returns[t] ** 2
        loss = loss + np.log(variance) + square / variance
        variance = omega**2 + a**2 * square + b**2 * variance
    return 0.5 * loss


def cosine(X, Y):
    return np.sum(X * Y) / np.sqrt(np.sum(X * X) * np.sum(Y * Y))


def pairs(x, y, a, b, dt, steps=3):
    for step in range(steps):
        xy = x * y
        x, y = x + dt * (a * x - xy), y + dt * (xy - b * y)
    return np.sum(x * x + y * y)


def recurrent(shift, Wx, Wh, X, target):
    h = np.zeros(Wh.shape[0])
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ Wx + h @ Wh + shift)
    return np.sum((h - target) ** 2)


def gated(U, W, x, h0):
    h = h0
    for t in range(len(x)):
        z = 1 / (1 + np.exp(-(x[t] @ W + h @ U)))
        h = (1 - z) * h + z * np.tanh(x[t] @ W)
    return np.sum(h**2)


def focal(logits, y):
    p = 1 / (1 + np.exp(-logits))
    return -np.sum(np.where(y > 0, 0.25, 0.75) * np.log(np.where(y > 0, p, 1 - p)))


def quadratic(b, A, x):
    return 0.5 * np.dot(x, np.dot(A, x)) - np.dot(b, x)


def likelihood(mean, cov, x):
    L = np.linalg.cholesky(cov @ cov.T + np.eye(len(cov)))
    z = np.linalg.solve(L, x - mean)
    return 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))


def energy(x, sigma, depth):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            gap = x[i] - x[j]
            s6 = (sigma**2 / (gap @ gap)) ** 3
            total += 4 * depth * (s6**2 - s6)
    return total


def mixture(means, x, log_weights, scales):
    z = (x[:, None] - means) / scales
    scores = log_weights - np.log(scales**2) - 0.5 * z**2
    return np.sum(np.log(np.sum(np.exp(scores), axis=1)))


def recurrence(U, W, x, h):
    for t in range(len(x)):
        h = np.tanh(W @ h + x[t]) * np.tanh(U @ h)
    return np.sum(h**2)


def grid(speed, u):
    after = 2 * u
    after[1:-1, 1:-1] += speed[1:-1, 1:-1] * (u[:-2, 1:-1] - u[2:, 1:-1])
    return np.sum(after**2)


CASES = [
    (poisson, "offset broadcasts to (n)", [(2,), (5, 2), (5,), (5,)]),
    (poisson, "offset broadcasts to (n)", [(2,), (5, 2), (5,), ()]),
    (factors, "ratings and known broadcast to (n, m)", [(4, 2), (3, 2), (4, 3), (3,)]),
    (kernel, "log_scale broadcasts to (n, d)", [(2,), (), (5, 2), (5,)]),
    (kernel, "log_height broadcasts to (n, n)", [(), (), (5, 2), (5,)]),
    (centres, "means is a matrix", [(3, 2), (5, 2), (3, 2), (3,)]),
    (groups, "x is an array of 4 axes", [(4, 2, 3, 5), (2, 3), (4, 2, 3, 5)]),
    (regression, "phi is a vector", [(2,), (), (7,)]),
    (volatility, "omega is a number", [(), (), (), (6,)]),
    (cosine, "Y broadcasts to the shape of X", [(4, 3), (4, 3)]),
    (cosine, "Y broadcasts to the shape of X", [(4, 3), (3,)]),
    (pairs, "y has the shape of x", [(4,), (4,), (), (), ()]),
    (pairs, "y has the shape of x", [(4, 2), (4, 2), (2,), (4, 1), ()]),
    (gated, "h0 is a vector", [(4, 4), (3, 4), (5, 3), (4,)]),
    (recurrent, "shift broadcasts to (d)", [(4,), (3, 4), (4, 4), (5, 3), (4,)]),
    (focal, "y broadcasts to the shape of logits", [(5, 3), (5, 3)]),
    (focal, "y broadcasts to the shape of logits", [(5, 3), (3,)]),
    (quadratic, "b is a vector", [(3,), (3, 3), (3,)]),
    (likelihood, "mean broadcasts to (n)", [(3,), (3, 3), (3,)]),
    (energy, "x is a matrix", [(4, 3), (), ()]),
    (mixture, "means is a vector", [(3,), (5,), (3,), (3,)]),
    (recurrence, "h is a vector", [(3, 3), (3, 3), (4, 3), (3,)]),
    (recurrent, "shift broadcasts to (d)", [(), (3, 4), (4, 4), (5, 3), (4,)]),
    (grid, "speed is a matrix", [(5, 4), (5, 4)]),
]


@pytest.mark.parametrize("function, words, shapes", CASES)
def test_what_is_assumed_makes_the_text_shorter_and_right(function, words, shapes):
    text = assumed(function)[1]
    assert words in " ".join(text[text.index("def grad") :].split())
    assert statements_in(text) < statements_in(gradgen.emit(function, general=True))
    args = drawn(shapes)
    want = numeric_gradient(function, args, 0).value
    got = run(text, *args)
    assert np.shape(got) == args[0].shape
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("at", range(4))
def test_the_gradient_of_what_broadcasts_has_its_own_shape(at):
    name = ("log_scale", "log_height", "X", "y")[at]
    text = assumed(kernel, wrt=name)[1]
    for shapes in ([(2,), (), (5, 2), (5,)], [(5, 2), (5, 1), (5, 2), (5,)]):
        args = drawn(shapes)
        if name == "log_height" and shapes[1]:  # of each pair of rows: a number
            with pytest.raises(ValueError, match="expected"):
                run(text, *args)
            continue
        want = numeric_gradient(kernel, args, at).value
        got = run(text, *args)
        assert np.shape(got) == args[at].shape
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "function, shapes, message",
    [
        (poisson, [(2,), (1, 2), (1,), (5,)], "expected|taken for"),
        (poisson, [(2,), (5, 2), (5,), (5, 1)], "expected|taken for"),
        (poisson, [(2,), (5, 2), (5,), (4,)], "broadcast"),
        (cosine, [(3,), (4, 3)], "Y is taken for what broadcasts to the shape of X"),
        (pairs, [(4,), (), (), (), ()], r"expected x \(\*s\), y \(\*s\), "),
        (pairs, [(), (), (), (4,), ()], r"expected .*a \(<\*s\)"),
        (regression, [(2,), (3,), (7,)], "sigma for a number"),
    ],
)
def test_a_text_raises_where_it_does_not_hold(function, shapes, message):
    with pytest.raises(ValueError, match=message):
        run(assumed(function)[1], *drawn(shapes))


@pytest.mark.parametrize(
    "function",
    [
        # what is written to be stretched, and entries of what may be a matrix
        lambda x, y: np.sum((x[:, None] * y) ** 2),
        lambda x, y: np.sum([np.sum((x[i] - y) ** 2) for i in range(2)]),
        lambda x, y: np.sum(x[0] * np.sum(y, axis=-1)),
        lambda x, y: sum(x[i] for i in range(3)) * y,
    ],
)
def test_where_it_is_not_asked_for_nothing_is_assumed(function):
    assert "y " not in assumed(function)[0]


def test_the_largest_shape_can_be_told():
    told = {"beta": "d", "X": "n d", "y": "n", "offset": "<n"}
    gradient = gradgen.grad(poisson, wrt="offset", shapes=told)
    for shape in ((5,), (), (1,)):
        args = drawn([(2,), (5, 2), (5,), shape])
        want = numeric_gradient(poisson, args, 3).value
        np.testing.assert_allclose(gradient(*args), want, rtol=1e-6)
        assert np.shape(gradient(*args)) == shape
    for shape in ((4,), (5, 1)):
        with pytest.raises(gradgen.GradgenError, match="GG503"):
            gradient(*drawn([(2,), (5, 2), (5,), shape]))


def test_what_has_no_capital_is_tried_as_a_vector_first():
    text = assumed(lambda x: np.sum(np.maximum.accumulate(x) ** 2))[1]
    x = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(run(text, x), [2.0, 0.0, 4.0])
    text = assumed(lambda a, b: np.sum(scipy.linalg.solve(a, b)))[1]
    assert "a is a matrix" in " ".join(text.split())


def test_what_stands_in_an_arm_is_looked_at():
    def solved(A, x, flag):
        y = np.mean(A, axis=1)
        if flag > 0:
            y = y + np.linalg.solve(A, x)
        return np.sum(y) + np.mean(A**2)

    text, args = assumed(solved)[1], drawn([(3, 3), (3,)])
    for flag in (-1.0, 1.0):
        want = numeric_gradient(solved, [*args, flag], 0).value
        np.testing.assert_allclose(run(text, *args, flag), want, rtol=1e-6, atol=1e-8)
    with pytest.raises(ValueError, match="A is taken for .n, n."):
        run(text, np.ones((3, 5)), np.ones(3), -1.0)

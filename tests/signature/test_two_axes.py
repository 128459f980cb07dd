"""Convention C: what has to have two axes has no more, where that makes a text shorter."""

import numpy as np
import pytest

import gradgen
from gradgen.pipeline.attempts import statements_in
from gradgen.verify.finite import numeric_gradient
from tests.signature.test_assumed import assumed, run


def cosines(z, y):
    rows = z / np.linalg.norm(z, axis=1, keepdims=True)
    return np.mean(np.diag(rows @ y.T))


def squared(x, c):
    return np.sum(np.dot(x, x) * c) + x[0]


def quadratic(x, A, b):
    return x @ A @ x + np.sum(b * x)


def nested(x, A):
    return np.dot(x, np.dot(A, x)) / 2


def gaussian(m, S, y):
    d = y - m
    return np.sum(np.linalg.inv(S) @ d) + np.log(np.linalg.det(S))


def linear(w, X, y):
    return np.sum((np.dot(X, w) - y) ** 2)


def covariance(X):
    Xc = X - np.mean(X, axis=0)
    return np.sum((Xc.T @ Xc / len(X)) ** 2)


def penalized(w, X, y, lam):
    return np.mean((X @ w - y) ** 2) + 0.5 * lam * w @ w


def logistic(w, b, X, y):
    p = 1 / (1 + np.exp(-(X @ w + b)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def recursion(params, r):
    omega, alpha, beta = params
    h = np.zeros(len(r))
    h[0] = np.var(r)
    for t in range(1, len(r)):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    return np.sum(h * h)


def scaled(theta, X):
    n, d = X.shape
    length, height = np.exp(theta)
    K = height * np.exp(-np.sum((X[:, None] - X) ** 2, axis=-1) / length)
    return np.linalg.slogdet(K + d * np.eye(n))[1]


ASSUMED = [
    (logistic, {"w is a vector", "b is a number"}, ((3,), (), (5, 3), (5,))),
    (
        penalized,
        {"w is a vector", "lam is a number", "y is a vector"},
        ((3,), (5, 3), (5,), ()),
    ),
    (recursion, {"params is a vector of 3", "r is a vector"}, ((3,), (5,))),
    (scaled, {"theta is a vector of 2"}, ((2,), (4, 3))),
    (cosines, {"z is a matrix", "y is a matrix"}, ((4, 3), (4, 3))),
    (squared, {"x is a vector"}, ((4,), (3,))),
    (quadratic, {"x is a vector", "A is a matrix"}, ((3,), (3, 3), ())),
    (nested, {"x is a vector", "A is a matrix"}, ((3,), (3, 3))),
    (gaussian, {"S is a matrix"}, ((3,), (3, 3), (3,))),
    (linear, {"w is a vector", "X is a matrix"}, ((3,), (5, 3), (5,))),
    (covariance, {"X is a matrix"}, ((5, 3),)),
]


def drawn(shapes, whole=False):
    rng = np.random.default_rng(7)
    if whole:
        return [rng.integers(1, 6, shape) for shape in shapes]
    made = [rng.normal(size=shape) for shape in shapes]
    return [x + 2 * np.eye(3) if x.shape == (3, 3) else x for x in made]


@pytest.mark.parametrize("function, words, shapes", ASSUMED)
def test_what_is_assumed_makes_the_text_shorter_and_right(function, words, shapes):
    told, text = assumed(function)
    assert words <= set(told.removeprefix("Assumed: ").rstrip(".").split(", "))
    assert statements_in(text) < statements_in(gradgen.emit(function, general=True))
    args = drawn(shapes)
    want = numeric_gradient(function, args, 0).value
    got = run(text, *args)
    assert got.shape == args[0].shape and got.dtype == np.float64
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("function, words, shapes", ASSUMED)
def test_of_whole_numbers_no_fraction_is_lost(function, words, shapes):
    args = drawn(shapes, whole=True)
    if function is logistic:  # far from 0 and 1
        args = [np.sign(arg - 3) for arg in args[:-1]] + [args[-1] % 2]
    floats = [arg.astype(float) for arg in args]
    if function is gaussian:
        args[1], floats[1] = (
            args[1] + 9 * np.eye(3, dtype=int),
            floats[1] + 9 * np.eye(3),
        )
    want = numeric_gradient(function, floats, 0).value
    got = run(assumed(function)[1], *args)
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)


def rows(X, w):
    return np.sin(X[0] * 0.3) @ w[0] + np.sum(X @ w)


def clipped(x, W, b):
    return np.sum(np.maximum(0, np.dot(x, W) + b))


@pytest.mark.parametrize(
    "function, shapes", [(rows, ((3, 2), (2, 2))), (clipped, ((3, 2), (2, 4), (4,)))]
)
def test_an_array_of_an_assumed_rank_may_hold_integers(function, shapes):
    args = drawn(shapes, whole=True)
    floats = [arg.astype(float) for arg in args]
    want = numeric_gradient(function, floats, 0).value
    np.testing.assert_allclose(run(assumed(function)[1], *args), want, rtol=1e-6)


@pytest.mark.parametrize(
    "function, shapes, message",
    [
        (cosines, ((4, 3, 3), (4, 3)), "z is taken for "),
        (squared, ((3, 3), (3,)), "x is taken for a vector"),
        (nested, ((3, 3), (3, 3)), "x is taken for a vector"),
        (linear, ((3, 2), (5, 3), (5, 2)), "w is taken for a vector"),
        (recursion, ((4,), (5,)), "params is taken for a vector of 3"),
        (recursion, ((3, 2), (5,)), "params is taken for a vector of 3"),
    ],
)
def test_a_text_raises_where_it_does_not_hold(function, shapes, message):
    with pytest.raises(ValueError, match=message):
        run(assumed(function)[1], *drawn(shapes))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(np.abs(x[1:, :] - x[:-1, :])),  # no shorter for a matrix
        lambda x, y: np.sum(np.mean(x, axis=1) @ np.swapaxes(y, -1, -2)),
        lambda x, A, y: np.sum((x.T @ A) @ x * y),  # a vector or a column
        lambda x, y: np.sum(x / np.sum(x, axis=0, keepdims=True) * y),
        lambda x, A: np.sum(np.tanh(x @ A)),  # of one example as well
        lambda x, A, B, b: np.sum(np.tanh(A @ np.ones(3) + B @ np.ones(3) + b) * x),
        lambda x: np.linalg.slogdet(np.sum(x[:, None] - x, axis=-1) + np.eye(len(x)))[
            1
        ],
    ],
)
def test_where_it_is_not_asked_for_nothing_is_assumed(function):
    assert "x is" not in assumed(function)[0]


def filtered(F, H, Q, R, x, P, Y):
    total = 0.0
    for y in Y:
        x, P = F @ x, F @ P @ F.T + Q
        gap, S = y - H @ x, H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x, P = x + K @ gap, P - K @ H @ P
        total += gap @ np.linalg.solve(S, gap) + np.linalg.slogdet(S)[1]
    return total


def of_filter(n=3, m=2, rounds=4):
    rng = np.random.default_rng(8)
    F, H = rng.normal(size=(n, n)) / 2, rng.normal(size=(m, n))
    x, Y = rng.normal(size=n), rng.normal(size=(rounds, m))
    return [F, H, np.eye(n), np.eye(m), x, 2 * np.eye(n), Y]


@pytest.mark.parametrize("wrt", "F H Q R x P Y".split())
def test_the_axes_of_a_loop_of_matrices_are_found(wrt):
    told, text = assumed(filtered, wrt=wrt)
    assert (
        "def _" not in text and "F (n, n), H (m, n), Q (n, n), R (m, m), x (n)" in text
    )
    args, at = of_filter(), "FHQRxPY".index(wrt)
    want = numeric_gradient(filtered, args, at).value
    got = run(text, *args)
    assert got.shape == args[at].shape
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "name, shape",
    [
        ("F", (3, 2)),
        ("Q", (3, 1)),
        ("R", (1, 1)),
        ("x", (3, 1)),
        ("Y", (4, 1)),
        ("P", ()),
    ],
)
def test_axes_that_are_not_equal_are_refused(name, shape):
    args = of_filter()
    args["FHQRxPY".index(name)] = np.ones(shape)
    with pytest.raises(ValueError, match="expected F .n, n., H .m, n."):
        run(assumed(filtered)[1], *args)


def crossed(a, b):
    return np.sum((a @ a) * np.dot(b, b) * (a - b))


def test_a_vector_that_would_be_stretched_is_refused():
    told, text = assumed(crossed)
    assert told == "Assumed: a is a vector, b is a vector."
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=3), rng.normal(size=3)
    want = numeric_gradient(crossed, [a, b], 0).value
    np.testing.assert_allclose(run(text, a, b), want, rtol=1e-6)
    with pytest.raises(ValueError, match="a is taken for .n., b for .n."):
        run(text, a, b[:1])

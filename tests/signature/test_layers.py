"""Convention C of models, of places and of stencils: read as people write them."""

import numpy as np
import pytest

import gradgen
from gradgen.pipeline.attempts import statements_in
from gradgen.verify.finite import numeric_gradient
from tests.signature.test_assumed import assumed

R = np.random.default_rng(41)


def real(*shape):
    return R.uniform(0.3, 1.2, shape)


def recurrent(b, Wx, Wh, X, target):
    h = np.zeros(Wh.shape[0])
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ Wx + h @ Wh + b)
    return np.sum((h - target) ** 2)


def gate(bz, W, U, x, h):
    for t in range(len(x)):
        z = 1 / (1 + np.exp(-(W @ x[t] + U @ h + bz)))
        h = z * h + (1 - z) * np.tanh(U @ h)
    return np.sum(h * h)


def chain(log_moves, log_emissions, log_start):
    moves = np.exp(log_moves)
    alpha = log_start + log_emissions[0]
    for t in range(1, log_emissions.shape[0]):
        top = np.max(alpha)
        alpha = top + np.log(np.exp(alpha - top) @ moves) + log_emissions[t]
    return np.sum(alpha * alpha)


def turned(q, v):
    c, s = q
    R = np.array([[c, -s], [s, c]])
    return np.sum((R @ v) ** 3)


def entropy(logits, labels):
    shift = np.max(logits, axis=1, keepdims=True)
    total = np.sum(np.exp(logits - shift), axis=1)
    return np.mean(np.log(total) - logits[np.arange(len(logits)), labels])


def table(values, knots, t):
    i = np.searchsorted(knots, t) - 1
    share = (t - knots[i]) / (knots[i + 1] - knots[i])
    return np.sum((1 - share) * values[i] ** 2 + share * values[i + 1])


def filtered(w, x):
    n = len(x) - len(w) + 1
    out = np.zeros(n)
    for k in range(len(w)):
        out += w[k] * x[k : k + n]
    return np.sum(out * out)


def smoothed(A, B, steps):
    for t in range(steps):
        B[1:-1] = 0.5 * (A[:-2] + A[2:])
        A[1:-1] = 0.3 * (B[:-2] + B[1:-1] + B[2:])
    return np.sum(A * A)


def centred(x, gamma):
    middle = x - x.mean(axis=0)
    return np.sum(gamma * middle / np.sqrt(np.mean(middle**2, axis=0) + 0.1) * x)


def nearest(A, B):
    d = ((A[:, None] - B[None]) ** 2).sum(-1)
    return d.min(0).mean() + d.min(1).mean()


def stationary(P, n):
    pi = np.ones(P.shape[0]) / P.shape[0]
    for _ in range(n):
        pi = pi @ P
        pi = pi / pi.sum()
    return pi[0]


def ratio(w, returns):
    p = returns @ w
    return p.mean() / p.std()


def arm(angles, lengths):
    x = y = total = 0.0
    for a, length in zip(angles, lengths):
        total += a
        x += length * np.cos(total)
        y += length * np.sin(total)
    return x * y


def ranked(A, d=0.85):
    M = A / np.where(A.sum(axis=0) == 0, 1, A.sum(axis=0))
    return np.sum(np.linalg.solve(np.eye(len(A)) - d * M, np.ones(len(A))) ** 2)


def forward(logA, logB, logpi):
    T, S = logB.shape
    alpha = logpi + logB[0]
    for t in range(1, T):
        alpha = logB[t] + np.logaddexp.reduce(alpha[:, None] + logA, axis=0)
    return np.logaddexp.reduce(alpha)


LABELS = np.array([2, 0, 1, 2])
CASES = [
    (
        recurrent,
        "b is a vector",
        (real(4), real(3, 4), real(4, 4), real(5, 3), real(4)),
    ),
    (gate, "bz is a vector", (real(4), real(4, 3), real(4, 4), real(5, 3), real(4))),
    (chain, "log_moves is a matrix", (real(3, 3), real(5, 3), real(3))),
    (turned, "q is a vector of 2, v is a vector of 2", (real(2), real(2))),
    (entropy, "labels is a vector", (real(4, 3), LABELS)),
    (table, "values is a vector, knots is", (real(6), np.arange(6.0), real(4) * 3)),
    (table, "values is a vector, knots is", (real(6), np.arange(6.0), 2.3)),
    (table, "values is a vector, knots is", (real(6), np.arange(6.0), real(2, 3) * 4)),
    (filtered, "w is a vector, x is a vector", (real(3), real(7))),
    (smoothed, "A is a vector, B is a vector", (real(6), real(6), 3)),
    (centred, "x is a matrix", (real(5, 3), real(3))),
    (centred, "x is a matrix", (real(5, 3), 1.5)),
    (nearest, "A is a matrix, B is a matrix", (real(4, 3), real(5, 3))),
    (stationary, "P is a matrix", (real(3, 3), 4)),
    (ratio, "w is a vector, returns is a matrix", (real(3), real(6, 3))),
    (arm, "angles is a vector, lengths is a vector", (real(4), real(4))),
    (ranked, "A is a matrix", (real(4, 4), 0.7)),
    (forward, "logA is a matrix", (real(3, 3), real(5, 3), real(3))),
    (forward, "logA is a matrix", (real(3, 3), real(5, 3), 0.4)),
]


@pytest.mark.parametrize("function, words, args", CASES)
def test_what_is_assumed_makes_the_text_shorter_and_right(function, words, args):
    text = assumed(function)[1]
    assert words in " ".join(text[text.index("def grad") :].split())
    assert statements_in(text) < statements_in(gradgen.emit(function, general=True))
    names: dict = {}
    exec(text, names)
    given = [np.array(one) if isinstance(one, np.ndarray) else one for one in args]
    found = names[f"grad_{function.__name__}"](*given)
    want = numeric_gradient(function, args, 0).value
    assert np.shape(found) == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


OTHERS = [
    (recurrent, (real(1, 4), real(3, 4), real(4, 4), real(5, 3), real(4)), "b"),
    (chain, (real(3, 3), real(5, 4), real(4)), "log_moves"),
    (turned, (real(2), real(2, 5)), "v"),
    (entropy, (real(4, 3), np.array([1])), "labels"),
    (entropy, (real(4, 3), np.array(1)), "labels"),
    (table, (real(6, 2), np.arange(6.0), real(4)), "values"),
    (filtered, (real(3), real(7, 2)), "x"),
    (smoothed, (real(6), real(7), 2), "B"),
    (centred, (real(5), 1.0), "x"),
    (nearest, (real(4, 3), real(5, 2)), "B"),
    (stationary, (real(3, 4), 1), "P"),
    (ratio, (real(3), real(3)), "returns"),
    (arm, (real(4, 2), real(4)), "angles"),
    (forward, (real(3), real(5, 3), real(3)), "logA"),
    (forward, (real(3, 2), real(1, 3), real(3)), "logA"),
]


@pytest.mark.parametrize("function, args, name", OTHERS)
def test_a_text_raises_where_it_does_not_hold(function, args, name):
    names: dict = {}
    exec(assumed(function)[1], names)
    with pytest.raises(ValueError, match=name):
        names[f"grad_{function.__name__}"](*args)


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=0)


def deep(Ws, x):
    for W in Ws:
        x = np.tanh(x @ W)
    return np.sum(x)


def scaled(scale, rows):
    loss = 0.0
    for row in rows:
        loss = loss + scale * row
    return np.sum(2 * loss)


def rotated(q, points):
    c, s = q
    return np.sum((np.array([[c, -s], [s, c]]) @ points) ** 2)


@pytest.mark.parametrize(
    "function, name",
    [(softmax, "x"), (deep, "x"), (rotated, "points"), (scaled, "rows")],
)
def test_where_it_is_not_told_nothing_is_assumed(function, name):
    assert f"{name} is" not in assumed(function)[0].partition("Assumed:")[2]


@pytest.mark.parametrize("dtype", [np.float32, int])
def test_labels_and_tables_of_other_dtypes(dtype):
    names: dict = {}
    exec(assumed(entropy)[1] + assumed(table)[1], names)
    logits = np.arange(12).reshape(4, 3).astype(dtype)
    found = names["grad_entropy"](logits, LABELS)
    assert found.dtype == (np.float32 if dtype is np.float32 else np.float64)
    want = numeric_gradient(entropy, (logits.astype(float), LABELS), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-6)
    values = np.arange(6).astype(dtype)
    found = names["grad_table"](values, np.arange(6.0), np.array([0.5, 3.2]))
    want = numeric_gradient(
        table, (values.astype(float), np.arange(6.0), np.array([0.5, 3.2])), 0
    ).value
    np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-6)

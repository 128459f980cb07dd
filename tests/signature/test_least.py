"""An array has as few axes as the body allows, where that asks for no more of another.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(47)


def real(*shape):
    return RNG.normal(size=shape)


def margins(x, W, label):
    one_hot = np.eye(W.shape[1])[label]
    x = x / np.sqrt(np.sum(x * x, axis=1, keepdims=True))
    return -np.sum(one_hot * np.cos(x @ W)) / len(label)


def scattered(q, at, f):
    gaps = at[:, None, :] - at[None, :, :]
    qr = q[:, None, None] * np.sqrt((gaps**2).sum(-1) + 1)[None]
    return np.sum((f[:, None] * f[None, :] * np.sin(qr)).sum(axis=(1, 2)) ** 2)


def attended(h, W, a, b):
    z = h @ W
    e = np.tanh((z @ a)[:, None] + (z @ b)[None, :])
    return np.sum(((e / e.sum(axis=1, keepdims=True)) @ z) ** 2)


def seen_states(start, moves, seen):
    alpha = start + seen[0]
    for t in range(1, len(seen)):
        alpha = np.max(alpha[:, None] + moves, axis=0) + seen[t]
    return np.sum(alpha)


def layers(n, d, wave):
    M = np.eye(2)
    for one, thick in zip(n, d):
        phase = one * thick / wave
        M = M @ np.array([[np.cos(phase), np.sin(phase)], [-np.sin(phase), one]])
    return M[0, 0] - M[1, 1] ** 2


def adapted(x, W, A, B, scale=2.0):
    return np.sum(np.tanh(x @ W + (x @ A) @ B * scale))


def twins(z1, z2):
    n, d = z1.shape
    c = (z1 - z1.mean(0)).T @ (z2 - z2.mean(0)) / n
    return np.sum(c**2) - np.sum(np.diag(c) ** 2)


def spins_of(J, h, spins):
    before, after = spins[:-1], spins[1:]
    field = before @ J.T + h
    return np.sum(np.log(np.cosh(field)) - after * field)


def quantiles(y, f, taus):
    e = y[:, None] - f
    return np.mean(np.maximum(taus * e, (taus - 1) * e))


def inflated(params, X, y):
    mu = np.exp(X.dot(params[:-1]))
    p = 1 / (1 + np.exp(-params[-1]))
    zero = y == 0
    out = np.empty_like(mu)
    out[zero] = np.log(p + (1 - p) * np.exp(-mu[zero]))
    out[~zero] = np.log(1 - p) + y[~zero] * np.log(mu[~zero]) - mu[~zero]
    return -out.sum()


def epidemic(theta, cases):
    beta, gamma = np.exp(theta)
    S, I = 9.0, 1.0
    found = []
    for _ in range(len(cases)):
        new = beta * S * I / 10
        S, I = S - new, I + new - gamma * I
        found.append(new)
    return np.sum((np.sqrt(np.array(found)) - np.sqrt(cases)) ** 2)


WRONG = [0.5, real(3), real(4, 3), real(2, 4, 3)]
PLACES = np.array([0, 3, 1, 1])
CASES = [
    (margins, "x", "label is a vector", (real(4, 3), real(3, 4), PLACES), [PLACES[:3]]),
    (scattered, "q", "f is a vector", (real(4), real(5, 3), real(5)), WRONG),
    (
        attended,
        "h",
        "a is a vector",
        (real(4, 3), real(3, 2), real(2), real(2)),
        [0.5, real(2), real(2, 2), real(3, 2)],
    ),
    (
        seen_states,
        "start moves",
        "seen is a matrix",
        (real(3), real(3, 3), real(5, 3)),
        [real(3), real(3, 3), real(5, 1)],
    ),
    (layers, "n", "wave is a number", (real(4), real(4), 0.7), [real(4), real(4, 1)]),
    (
        adapted,
        "x",
        "B (k, d)",
        (real(5, 4), real(4, 3), real(4, 2), real(2, 3)),
        [real(4), real(4, 1), real(2, 1)],
    ),
    (twins, "z1", "z2 is a matrix", (real(6, 3), real(6, 3)), WRONG),
    (
        spins_of,
        "J",
        "spins is a matrix",
        (real(3, 3), real(3), real(6, 3)),
        [real(3), real(3, 3)],
    ),
    (quantiles, "f", "f is a matrix", (real(4), real(4, 3), real(3)), [real(3), 0.5]),
    (
        inflated,
        "params",
        "y is a vector",
        (real(4), real(5, 3), np.array([0.0, 1, 0, 2, 3])),
        [real(4), np.zeros(5), np.zeros((5, 1))],
    ),
    (
        epidemic,
        "theta",
        "cases is a vector",
        (np.log([0.5, 0.2]), np.abs(real(6))),
        [np.abs(real(6, 1)), np.abs(real(2, 3))],
    ),
]
IDS = [case[0].__name__ for case in CASES]


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_right_for_usual_arguments_and_right_or_raised_for_others(
    function, wrt, words, args, others
):
    text, gradient = text_of(function, wrt.split())
    assert words in " ".join(text.split()) and "def _" not in text
    is_right(function, gradient, wrt.split(), args)

    def right(given):
        is_right(function, gradient, wrt.split(), given)

    names = function.__code__.co_varnames[: len(args)]
    assert sweep(function, gradient, right, args, dict.fromkeys(names, others))


def nothing_of_rows(scale, rows):
    loss = 0.0
    for row in rows:
        loss = loss + scale * row
    return np.sum(2 * loss)


def nothing_of_controls(t, ctrl):
    t = t[:, None]
    return np.sum(((1 - t) * ctrl[0] + t * ctrl[1]) ** 2)


def nothing_of_draws(mean, log_sd, draws):
    return np.sum(np.einsum("rk->k", mean + draws * np.exp(log_sd)) ** 2)


def nothing_of_steps(x, k):
    out = [k]
    for v in x:
        out.append(out[-1] * v)
    return np.sum(out[-1])


@pytest.mark.parametrize(
    "function, name",
    [
        (nothing_of_rows, "rows"),
        (nothing_of_controls, "ctrl"),
        (nothing_of_draws, "mean"),
        (nothing_of_steps, "x"),
    ],
)
def test_of_what_may_be_rows_as_well_nothing_is_said(function, name):
    text, _ = text_of(function, [name])
    assert f"{name} is" not in text.partition("Assumed:")[2]


def last(s, x):
    out = [s]
    while len(out) < len(x):
        out.append(out[-1] * s)
    return np.sum((np.array(out) - x) ** 2)


def some(s, x):
    out = []
    for v in x:
        if v > 0:
            out.append(v * s)
    return np.sum((np.array(out) - x[: len(out)]) ** 2)


def ended(s, x):
    out = []
    for v in x:
        out.append(v * s)
        if s * v > 1.2:
            break
    return np.sum((np.array(out) - x[: len(out)]) ** 2)


def both(s, x):
    a, b = [], []
    for v in x:
        a.append(v * s)
        a.append(v + s)
        b += [v * s, s]
    return np.sum((np.array(a) - np.array(b)) ** 2)


def replaced(s, x):
    out = [s for _ in range(len(x))]
    for i in range(len(x)):
        out[i] = s * x[i] + out[i - 1]
    return np.sum((np.array(out) - x) ** 2)


@pytest.mark.parametrize("function", [last, some, ended, both, replaced])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_lengths_of_lists(function, size):
    """Where a list may be shorter than the rounds, its length is not taken for these."""
    x = np.abs(RNG.normal(size=size)) + 0.3
    for given in (x, x * np.where(np.arange(size) % 2, -1, 1)):
        _, gradient = text_of(function, ["s"])
        if len(given) and np.any(given > 0):
            is_right(function, gradient, ["s"], (0.7, given))

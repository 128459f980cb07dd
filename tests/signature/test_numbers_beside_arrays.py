"""Numbers by capitals, numbers in tables, lengths, limits and words are no arrays.

Each text is right, in value and shape, or raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(14)


def some(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def perifocal(k, p, ecc, nu):
    r = (np.array([np.cos(nu), np.sin(nu), 0 * nu]) * p / (1 + ecc * np.cos(nu))).T
    v = (np.array([-np.sin(nu), ecc + np.cos(nu), 0]) * np.sqrt(k / p)).T
    return r, v


def springs(pos, i, j, k, L0):
    d = pos[j] - pos[i]
    r = np.linalg.norm(d, axis=1, keepdims=True)
    return k * (r - L0) * d / r


def stiffness(n, cfg):
    P = np.eye(3) - np.outer(n, n)
    return P / cfg["G"] + np.outer(n, n) * cfg["E"]


def softened(x, t):
    e = np.exp((x - np.max(x, axis=1, keepdims=True)) / t)
    return e / np.sum(e, axis=1, keepdims=True)


def layer(X, W, B):
    return X @ W + B


def ratios(X, Y):
    return np.sum((X / Y) ** 2, axis=1)


def chain(A, B, O, pi):
    alpha = pi * B[:, O[0]]
    for t in range(1, len(O)):
        alpha = (alpha @ A) * B[:, O[t]]
    return np.sum(alpha)


def kepler(M, e, tol=1e-10):
    E = M
    for _ in range(30):
        step = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E = E - step
        if np.max(np.abs(step)) < tol:
            break
    return np.arctan2(np.sqrt(1 - e**2) * np.sin(E), np.cos(E) - e)


def rounds(M, e):
    E = M
    for _ in range(12):
        E = E - (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
    return E


def line(theta, x, y, yerr):
    m, b, lnf = theta
    model = m * x + b
    weight = 1.0 / (yerr**2 + model**2 * np.exp(2 * lnf))
    return -0.5 * np.sum((y - model) ** 2 * weight - np.log(weight))


def envelope(n, vol, attack=0.005):
    t = np.arange(n) / 44100
    a = max(1, int(attack * 44100))
    e = np.empty(n)
    e[:a] = np.geomspace(1e-4, vol, a)
    if n > a:
        e[a:] = vol * np.exp(-t[a:])
    return e


def blanks(probs, Z, vocab):
    S, T = len(Z), probs.shape[1]
    alpha = np.zeros((S, T))
    alpha[0, 0] = probs[vocab[Z[0]], 0]
    for t in range(1, T):
        for s in range(S):
            z = vocab[Z[s]]
            if s == 0 or Z[s] == "blank":
                alpha[s, t] = alpha[s, t - 1] * probs[z, t]
            else:
                alpha[s, t] = (alpha[s - 1, t - 1] + alpha[s, t - 1]) * probs[z, t]
    return alpha[-1, -1]


def at_risk(beta, X, times, events):
    scores = np.exp(X @ beta)
    total = 0.0
    for i in np.where(events)[0]:
        total += X[i] @ beta - np.log(np.sum(scores[times >= times[i]]))
    return -total


def observed(mu, row, W, sigma2):
    seen = np.where(~np.isnan(row))[0]
    part = W[seen]
    C = part @ part.T + sigma2 * np.eye(len(seen))
    d = row[seen] - mu[seen]
    return d @ np.linalg.inv(C) @ d + np.linalg.slogdet(C)[1]


def above(x, limit):
    return np.sum(x[np.where(x > limit)[0]] ** 2)


I, J = np.array([0, 1, 1, 3]), np.array([1, 2, 4, 4])
EVENTS = np.array([1, 0, 1, 1, 0, 1])
ROW = np.array([0.3, np.nan, 0.5, 0.8])
CASES = [
    (perifocal, "", None, (39.0, 7.0, 0.1, 0.5), {"p": [some(3)], "nu": [some(3)]}),
    (perifocal, "", "p", (39.0, 7.0, 0.1, 0.5), {"k": [some(3)], "nu": [some(3)]}),
    (
        springs,
        "pos is a matrix",
        None,
        (some(5, 2), I, J, 2.0, 0.7),
        {"k": [some(4, 1)], "L0": [some(4, 1)]},
    ),
    (
        springs,
        "",
        "L0",
        (some(5, 2), I, J, 2.0, 0.7),
        {"k": [some(4, 1)], "L0": [some(4, 1), some(4, 2)]},
    ),
    (stiffness, "", None, (some(3), {"E": 3.0, "G": 0.4}), {"n": [some(3)]}),
    (softened, "x is a matrix", None, (some(4, 3), 1.5), {"t": [some(4, 1)]}),
    (softened, "", "t", (some(4, 3), 1.5), {"t": [some(4, 1)]}),
    (
        layer,
        "B is a matrix",
        None,
        (some(4, 3), some(3, 2), some(4, 2)),
        {"B": [some(2), 0.5]},
    ),
    (ratios, "Y is a matrix", None, (some(4, 3), some(4, 3)), {"Y": [some(3)]}),
    (
        chain,
        "B is a matrix, O is a vector of integers",
        None,
        (some(3, 3), some(3, 4), np.array([0, 2, 3]), some(3)),
        {"pi": [0.5]},
    ),
    (kepler, "", None, (some(3), 0.2), {"e": [some(3)], "M": [0.4]}),
    (kepler, "", "e", (some(3), 0.2), {"e": [some(3)], "M": [0.4]}),
    (rounds, "", "e", (some(3), 0.2), {"e": [some(3)], "M": [0.4]}),
    (
        line,
        "",
        "yerr",
        (np.array([-1.0, 4.0, -2.0]), some(6), some(6), 0.1),
        {"yerr": [some(6)]},
    ),
    (envelope, "vol is a number", "vol", (400, 0.5), {"attack": [0.002]}),
    (
        blanks,
        "",
        None,
        (some(3, 5), ["blank", "a", "blank"], {"blank": 0, "a": 2}),
        {"Z": [["a", "blank"]]},
    ),
    (
        at_risk,
        "beta is a vector, X is a matrix, times is a vector, events is a vector",
        None,
        (some(3), some(6, 3), some(6), EVENTS),
        {"beta": [some(3, 1)]},
    ),
    (
        observed,
        "row is a vector, W is a matrix, sigma2 is a number",
        None,
        (some(4), ROW, some(4, 2), 0.5),
        {"W": [some(4)]},
    ),
    (above, "limit is a number", None, (some(6), 0.5), {"limit": [some(6)]}),
]


@pytest.mark.parametrize("function, words, wrt, args, others", CASES)
def test_what_may_be_a_number(function, words, wrt, args, others):
    text = right_or_raised(function, args, others, wrt)
    assert words in " ".join(text.split())

"""Gradients in the form that a person would give them, and with its numbers."""

import numpy as np
import pytest

import gradgen

RNG = np.random.default_rng(7)


def parts(x):
    return np.sum(np.sin(x[:, :2]) * x[:, 2:4]) + np.sum(x[:, 4:] ** 2)


def gates(x, c):
    h = c.shape[1]
    kept = np.tanh(x[:, :h]) * c
    return np.sum(kept + np.sin(x[:, h : 2 * h]) * x[:, 2 * h : 3 * h])


def lstm_step(x, h, c, W):
    n = h.shape[1]
    g = np.concatenate([x, h], axis=1) @ W
    i, f = 1 / (1 + np.exp(-g[:, :n])), 1 / (1 + np.exp(-g[:, n : 2 * n]))
    o = 1 / (1 + np.exp(-g[:, 2 * n : 3 * n]))
    return np.sum(o * np.tanh(f * c + i * np.tanh(g[:, 3 * n :])))


def thirds(x, W):
    n = W.shape[1] // 3
    g = x @ W
    return np.sum(np.sin(g[:, :n]) * g[:, n : 2 * n] + np.exp(g[:, 2 * n :]))


def ends(x):
    return x[0] * np.sum(x[1:-1] ** 2) * x[-1]


def halves(x):
    return np.sum(np.sin(x[::2]) * x[1::2])


def overlapping(x):
    return np.sum(np.sin(x[:-1]) * x[1:])


def at_risk(x):
    return np.sum(np.log(np.cumsum(np.exp(x)[::-1])[::-1]))


def rows_turned(x):
    return np.sum(np.cumsum(x[:, ::-1] ** 2, axis=1)[:, ::-1] ** 2)


def turned_twice(x):
    y = np.flip(x * x, 1)
    return np.sum(np.flip(np.cumsum(np.sin(y)[:, ::-1], axis=1), 0) ** 2)


def turned_number(x):
    return 3.0 * np.sum(x[::-1])


def chosen(x, positive):
    p = 1 / (1 + np.exp(-x))
    return np.sum(np.log(np.where(positive, p, 1 - p)))


def scaled(x, mu, s):
    z = (x[:, None, :] - mu) / np.exp(s)
    return np.sum(z**2)


def filtered(A, m):
    total = 0.0
    for _ in range(3):
        e = 1 - A @ m
        m = m + e @ A
        total -= e @ e
    return total


def made_each_round(r):
    energy = 0.0
    for i in range(len(r) - 1):
        d = r[i + 1 :] - r[i]
        d -= np.round(d)
        energy += np.sum(d**3)
    return energy**2


def changed_after(r):
    energy = 0.0
    for i in range(3):
        d = np.sin(r + i)
        energy += np.sum(d**3)
        d *= 2
        energy += np.sum(d**2)
    return energy**2


def next_round(r):
    energy, d = 0.0, np.sin(r)
    for _ in range(3):
        d *= 2
        energy += np.sum(d**3)
    return energy


def convolved(x, w):
    k = w.shape[0]
    m = x.shape[1] - k + 1
    out = np.zeros((len(x) - k + 1, m), x.dtype)
    for i in range(k):
        for j in range(k):
            out = out + w[i, j] * x[i : i + len(x) - k + 1, j : j + m]
    return np.sum(out**3)


def moving(x, w):
    k = len(w)
    total = 0.0
    for i in range(len(x), k - 1, -1):
        total += np.sum(x[i - k : i] * w) ** 2
    return total


def beyond(x, w):
    k, total = len(w), 0.0
    for i in range(len(x)):
        part = x[i : i + k]
        total += np.sum(part * w[: len(part)])
    return total


def cut_short(x, y):
    return np.sum(x[len(y) : 2 * len(y)] * y)


def table(cost):
    n, m = cost.shape
    R = np.zeros((n + 1, m + 1), cost.dtype)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            R[i, j] = cost[i - 1, j - 1] + np.sin(R[i - 1, j]) * R[i, j - 1]
            R[i, j] += np.cos(R[i - 1, j - 1])
    return R[n, m]


def taken_apart(x):
    y = x * 1
    a, b = y[:2]
    y[0] = b * a
    y[1] = 3.0
    return a * b * np.sum(y)


LSTM = {"x": "b d", "h": "b m", "c": "b m", "W": "d+m 4*m"}
# function -> (facts, arguments, what the text says, what it does not say)
CASES = [
    (parts, {"x": "n 6"}, "n6", ["d_x = np.concatenate("], ["+= ", "zeros"]),
    (gates, {"x": "n d", "c": "n h"}, "gc", ["d_x[:, 2 * h : 3 * h] = "], ["+= "]),
    (lstm_step, LSTM, "lstm", ["d_g = np.concatenate("], ["+= ", "unbroadcast"]),
    (thirds, {"x": "b d", "W": "d 3*h"}, "xW", ["d_g = np.concatenate("], ["+= "]),
    (ends, {"x": "n"}, "v", ["d_x[1:-1] = ", "d_x[-1] += "], []),
    (halves, {"x": "6"}, "v6", ["d_x[1::2] = "], ["+= "]),
    (overlapping, {"x": "n"}, "v", ["d_x[1:] += "], []),
    (at_risk, {"x": "n"}, "v", ["= np.cumsum("], ["zeros", "reshape", "flip"]),
    (rows_turned, {"x": "n m"}, "n6", ["np.cumsum("], ["zeros"]),
    (turned_twice, {"x": "n m"}, "n6", [], ["zeros"]),
    (turned_number, {"x": "n"}, "v", [], []),
    (
        chosen,
        {"x": "n", "positive": "n:bool"},
        "vb",
        ["np.where(positive, d_out / chosen, -d_out / chosen)"],
        [],
    ),
    (
        scaled,
        {"x": "n d", "mu": "k d", "s": "k d"},
        "xms",
        ["d_s = -np.sum(d_z * z, axis=0)"],
        [],
    ),
    (filtered, {"A": "n n", "m": "n"}, "Am", [" - "], ["+ -"]),
    (made_each_round, {"r": "n"}, "v", ["ds.append(d)"], ["copy"]),
    (changed_after, {"r": "n"}, "v", ["ds.append(d.copy())"], []),
    (next_round, {"r": "n"}, "v", ["ds.append(d.copy())"], []),
    (convolved, {"x": "n m", "w": "k k"}, "xk", ["d_w[i, j] +="], ["unbroadcast"]),
    (moving, {"x": "n", "w": "k"}, "vk", ["d_x[i - k : i] += "], ["unbroadcast"]),
    (beyond, {"x": "n", "w": "k"}, "vk", [], []),
    (cut_short, {"x": "n", "y": "k"}, "43", ["unbroadcast"], []),
    (taken_apart, {"x": "n"}, "v", [], []),
    (table, {"cost": "n m"}, "n6", ["d_cost[i - 1, j - 1] = "], ["rhs = j"]),
]
ARRAYS = {
    "n6": lambda: [RNG.normal(size=(4, 6))],
    "gc": lambda: [RNG.normal(size=(4, 6)), RNG.normal(size=(4, 2))],
    "lstm": lambda: [RNG.normal(size=s) for s in ((3, 2), (3, 4), (3, 4), (6, 16))],
    "xW": lambda: [RNG.normal(size=s) for s in ((3, 2), (2, 12))],
    "v": lambda: [RNG.normal(size=7) + 0.3],
    "v6": lambda: [RNG.normal(size=6)],
    "xk": lambda: [RNG.normal(size=s) for s in ((5, 6), (2, 2))],
    "vk": lambda: [RNG.normal(size=7), RNG.normal(size=3)],
    "43": lambda: [RNG.normal(size=4), RNG.normal(size=3)],
    "vb": lambda: [RNG.normal(size=6), RNG.normal(size=6) > 0],
    "xms": lambda: [RNG.normal(size=s) for s in ((5, 3), (2, 3), (2, 3))],
    "Am": lambda: [RNG.normal(size=(3, 3)) / 3, RNG.normal(size=3)],
}


def by_complex_step(function, arrays):
    """The gradient in each floating argument, entry by entry."""
    found = []
    for at, array in enumerate(arrays):
        if array.dtype == bool:
            continue
        gradient = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            moved = [a.astype(complex) if a.dtype != bool else a for a in arrays]
            moved[at][i] += 1e-30j
            gradient[i] = np.imag(function(*moved)) / 1e-30
        found.append(gradient)
    return found


def lines_of(text):
    """The lines of a gradient that compute: no comments, no docstring."""
    body = text.rpartition('"""')[2]
    return "\n".join(s for s in body.splitlines() if not s.strip().startswith("#"))


@pytest.mark.parametrize(
    "function, facts, arrays, says, leaves_out",
    CASES,
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_the_text_and_its_numbers(function, facts, arrays, says, leaves_out):
    arrays = ARRAYS[arrays]()
    wrt = [name for name, fact in facts.items() if "bool" not in fact]
    text = lines_of(str(gradgen.emit(function, wrt=wrt, shapes=facts)))
    gradient = gradgen.grad(function, wrt=wrt, shapes=facts)
    for words in says:
        assert words in text, text
    for words in leaves_out:
        assert words not in text, text
    found = gradient(*[a.copy() for a in arrays])
    found = found if isinstance(found, tuple) else (found,)
    expected = by_complex_step(function, arrays)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_ends_that_are_one_entry(length):
    x = RNG.normal(size=length)
    gradient = gradgen.grad(ends, shapes={"x": "n"})
    (expected,) = by_complex_step(ends, [x])
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-12)


def test_a_view_of_a_view_that_changes_leaves_what_it_views():
    """The adjoint of h[::-1][-1] = d is read whole after a part of it was cleared."""

    def gradient(u, d, d_out):
        h = np.tanh(u)
        h_2 = h.copy()
        h_2[::-1][-1] = d
        h_2[1] += h_2[1 - 1]
        same = h_2[::-1]
        d_same = 2 * d_out * same
        d_h = d_same[::-1]
        d_h[1 - 1] += d_h[1]
        d_h[::-1][-1] = 0
        d_u = d_h * (1 - h**2)
        return d_u

    facts = {"u": "n", "d": "", "d_out": ""}
    u, seed = RNG.normal(size=4), RNG.normal(size=4)
    found = gradgen.grad(gradient, wrt="d", shapes=facts)(u, 0.3, 0.7, seed=seed)
    changed = np.imag(gradient(u.astype(complex), 0.3 + 1e-30j, 0.7)) / 1e-30
    np.testing.assert_allclose(found, np.sum(seed * changed), rtol=1e-12)

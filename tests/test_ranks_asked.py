"""A function that asks how many axes an argument has is called with several: so is its text."""

import numpy as np
import pytest

import gradgen
from gradgen.pipeline.attempts import branches_on_ranks
from gradgen.verify.finite import numeric_gradient

V = np.array([5.1, 6.2, 7.9, 4.2])
W = np.array([4.7, 6.0, 10.0, 2.5])


def efficiency(sim, obs):
    if obs.ndim == 1:
        o = np.reshape(obs, (obs.size, 1))
    elif obs.ndim == 2:
        o = obs
    else:
        raise ValueError("a series")
    if sim.ndim == 1:
        s = np.reshape(sim, (sim.size, 1))
    elif sim.ndim == 2:
        s = sim
    else:
        raise ValueError("a series")
    s, o = s[~np.isnan(o[:, 0]), :], o[~np.isnan(o[:, 0]), :]
    spread = np.sum((o - np.mean(o)) ** 2, axis=0, dtype=np.float64)
    return 1 - np.sum((o - s) ** 2, axis=0, dtype=np.float64) / spread


def channels(x):
    y = x.copy()
    if y.ndim == 1:
        y = np.reshape(y, (y.shape[0], 1))
    for k in range(y.shape[1]):
        y[:, k] = y[:, k] * np.arange(y.shape[0])
    return np.sum(y[1:, 0] * y[:-1, 0]) + np.sum(np.mean(y**2, axis=1))


def rows(x):
    if x.ndim == 1:
        x = x[None, :]
    return np.sum((x - np.mean(x, axis=1)[:, None]) ** 2)


CASES = [
    (efficiency, (V, W)),
    (efficiency, (V[:, None], W)),
    (efficiency, (np.stack([V, W + 1], axis=1), W[:, None])),
    *((f, (x,)) for f in (channels, rows) for x in (V, np.stack([V, W], axis=1))),
]


@pytest.mark.parametrize("f, args", CASES)
def test_texts_take_each(f, args):
    seed = np.linspace(0.5, 1.5, np.size(f(*args))).reshape(np.shape(f(*args)))[()]
    want = numeric_gradient(lambda *a: np.sum(seed * f(*a)), args, 0).value
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](*args, seed)
    assert np.shape(found) == np.shape(args[0]) and np.allclose(found, want, rtol=1e-6)
    assert np.allclose(gradgen.grad(f)(*args, seed=seed), want, rtol=1e-6)


@pytest.mark.parametrize(
    "lines, asks",
    [
        ("if y.ndim == 1:\n        y = y[:, None]", True),
        ("if y.ndim != 2:\n        raise ValueError", False),
        ("if len(y) == 1:\n        y = y * 2", False),
    ],
)
def test_what_asks(lines, asks):
    helper = (
        "def _helper(g):\n    if g.ndim == 1:\n        g = g * 2\n    return g\n\n\n"
    )
    assert (
        branches_on_ranks(f"{helper}def grad(y):\n    {lines}\n    return y\n") == asks
    )

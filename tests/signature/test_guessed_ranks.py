"""Ranks that are guessed where a text for any rank is refused: beside what defaults
tell of other arguments, vectors, and matrices where vectors do not fit."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)


def membrane(I, g=0.3, rest=-54.0, dt=0.02):
    """A voltage that is traced while it changes."""
    V = -65.0
    trace = []
    for k in range(len(I)):
        leak = g * (V - rest)
        V += dt * (I[k] - leak)
        trace.append(V)
    return np.sum(np.array(trace) ** 2)


def adaptation(I, tau=0.5, gain=2.0):
    rate = 1.0
    rates = [rate]
    for i in range(len(I)):
        rate += tau * (gain * I[i] ** 2 - rate)
        rates.append(rate)
    return sum(rates) * rates[-1]


def coherence(img):
    """Of the structure tensor of an image."""
    gy, gx = np.gradient(img)
    J = np.empty(img.shape + (2, 2))
    J[..., 0, 0] = gx * gx
    J[..., 0, 1] = J[..., 1, 0] = gx * gy
    J[..., 1, 1] = gy * gy
    low, high = np.linalg.eigvalsh(J.mean(axis=(0, 1)))
    return ((high - low) / (high + low)) ** 2


def stacked_channels(img):
    out = np.zeros(img.shape + (3,))
    out[..., 0] = img
    out[..., 1] = img[:, ::-1] * 2
    out[..., 2] = np.roll(img, 1, axis=1)
    return np.sum(out.max(axis=2) * out[..., 0])


PROGRAMS = [
    (membrane, RNG.normal(size=4)),
    (adaptation, RNG.normal(size=3)),
    (coherence, RNG.normal(size=(4, 3))),
    (stacked_channels, RNG.normal(size=(4, 3))),
]


@pytest.mark.parametrize("f, x", PROGRAMS)
def test_the_text_stands_for_it(f, x):
    space = {}
    exec(gradgen.emit(f), space)
    got = space[f"grad_{f.__name__}"](x)
    want = numeric_gradient(f, (x,), 0).value
    assert got.shape == x.shape and got.dtype == x.dtype
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def test_another_rank_raises():
    space = {}
    exec(gradgen.emit(coherence), space)
    with pytest.raises(ValueError, match=r"expected img, real .*, img \(n, d\)"):
        space["grad_coherence"](np.ones(5))

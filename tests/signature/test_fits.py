"""Models that are fitted to data: right for numbers and data, in each argument, nothing told."""

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import text_of

RNG = np.random.default_rng(55)


def peak(amp, x0, w, x, y):
    return np.sum((amp * np.exp(-(((x - x0) / w) ** 2)) - y) ** 2)


def michaelis(vmax, km, s, v):
    return np.sum((vmax * s / (km + s) - v) ** 2)


def sine(a, f, p, t, y):
    return np.mean((a * np.sin(2 * np.pi * f * t + p) - y) ** 2)


def arrhenius(A, Ea, T, k):
    return np.sum((np.log(A) - Ea / (8.314 * T) - np.log(k)) ** 2)


def broken(log_amp, x_break, a1, a2, x, counts, background):
    ratio = x / x_break
    bend = 0.5 * (1 + ratio**2)
    model = np.exp(log_amp) * ratio**-a1 * bend ** (a1 - a2) + background
    return 2 * np.sum(model - counts * np.log(model))


def orbit(K, e, omega, t0, v0, t, rv, err, jitter):
    M = 2 * np.pi * (t - t0)
    E = M + e * np.sin(M)
    for _ in range(3):
        E = E - (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
    model = v0 + K * (np.cos(E + omega) + e * np.cos(omega))
    var = err**2 + jitter**2
    return 0.5 * np.sum((rv - model) ** 2 / var + np.log(var))


def scaled(gain, img, bias, target):
    return np.mean((gain * img + bias - target) ** 2)


# the parameters of each, and how many data stand behind them
FITS = [
    (peak, ("amp", "x0", "w")),
    (michaelis, ("vmax", "km")),
    (sine, ("a", "f", "p")),
    (arrhenius, ("A", "Ea")),
    (broken, ("log_amp", "x_break", "a1", "a2")),
    (orbit, ("K", "e", "omega", "t0", "v0", "jitter")),
    (scaled, ("gain", "bias")),
]
ASKED = [
    (function, parameters, asked)
    for function, parameters in FITS
    for asked in (
        parameters,
        *(
            (name,)
            for name in function.__code__.co_varnames[: function.__code__.co_argcount]
        ),
    )
]


@pytest.mark.parametrize("function, parameters, asked", ASKED)
def test_numbers_and_data_are_taken_as_anyone_would_give_them(
    function, parameters, asked
):
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    args = [
        RNG.uniform(0.3, 0.8) if name in parameters else RNG.uniform(0.5, 1.5, 6)
        for name in names
    ]
    text, gradient = text_of(function, list(asked))
    found = gradient(*args)
    for name, one in zip(asked, found if isinstance(found, tuple) else (found,)):
        want = numeric_gradient(function, args, names.index(name)).value
        assert np.shape(one) == np.shape(want)
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)
    if asked == parameters:
        # err may be a number
        assert text.count("_unbroadcast(") <= (2 if function is orbit else 0)

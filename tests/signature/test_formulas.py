"""Formulas: what math functions and tests take is a number; arrays have one shape.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import inspect
import math

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import sweep, text_of

RNG = np.random.default_rng(44)


def positive(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def great_circle(lat1, lon1, lat2, lon2, radius=6371.0):
    dlat = math.radians(lat2 - lat1)
    dlon = math.radians(lon2 - lon1)
    a = math.sin(dlat / 2) ** 2
    a += (
        math.cos(math.radians(lat1))
        * math.cos(math.radians(lat2))
        * math.sin(dlon / 2) ** 2
    )
    return 2 * radius * math.atan2(math.sqrt(a), math.sqrt(1 - a))


def humidity(T, p, rh):
    if T > 0:
        es = 6.11 * 10 ** (7.5 * T / (237.3 + T))
    else:
        es = 6.11 * 10 ** (9.5 * T / (265.5 + T))
    return 0.622 * rh * es / (p - es)


def friction(Re, rough):
    if Re < 2300:
        return 64 / Re
    f = 0.02
    for _ in range(5):
        f = 1 / (-2 * math.log10(rough / 3.7 + 2.51 / (Re * math.sqrt(f)))) ** 2
    return f


def clamped(v, low, high, k):
    if v < low:
        return k * (v - low) ** 2
    elif v > high:
        return k * (v - high) ** 2
    return 0.0 * v


def weighed(x, y):
    return np.sum(y * math.cos(x))


def chosen(x, kind, scale):
    if kind == "log":
        return np.log(scale * x)
    return scale * x


def branches(x, gain):
    if gain * 2 > 1:
        return np.sum(gain * x**2)
    return np.sum(x)


def aperture(n_core, n_clad):
    return np.sqrt(n_core**2 - n_clad**2)


def number_of_modes(a, NA, length):
    V = 2 * np.pi / length * a * NA
    return V**2 / 2


def pressure(n, T, V, R=8.314):
    return n * R * T / V


def bounded(x, low, high):
    return np.where(x < low, x**2, np.where(x > high, high * x, low * x))


def mixed(x, k):
    return np.sum(x) * k + x


def feedback(K, state, goal):
    return -float(K @ (state - goal))


def clipped(K, state, low, high):
    u = np.dot(K, state) + 0.1 * high
    return float(np.clip(u, low, high))


def quadratic(P, s, scale):
    return float(scale * s @ P @ s)


def score(W, x, y, k):
    return float(k * np.sum((W @ x - y) ** 2))


A, B, C = positive(4), positive(4), positive(4)
# (function, wrt, what the docstring says, arguments that are taken, other ones of each)
CASES = [
    (
        great_circle,
        ["lat1", "lon1"],
        "lat1 (), lon1 ()",
        (10.0, 20.0, 30.0, 45.0),
        {"lat1": [np.array([10.0]), 12], "lon2": [np.float64(3.0)]},
    ),
    (
        humidity,
        ["T", "p", "rh"],
        "p is a number",
        (20.0, 1000.0, 50.0),
        {"T": [-5.0, 3], "p": [np.array([900.0, 1000.0])], "rh": [A]},
    ),
    (
        friction,
        ["Re", "rough"],
        "rough is a number",
        (1e5, 1e-3),
        {"Re": [1000.0, np.float64(1e6)], "rough": [np.array([1e-3, 1e-4]), 0.01]},
    ),
    (
        clamped,
        ["v", "k"],
        "k is a number",
        (0.5, 1.0, 2.0, 3.0),
        {"v": [1.5, 2.5], "k": [A, np.array(2.0)], "high": [3]},
    ),
    (weighed, ["x"], "x is taken for a number", (0.3, A), {"y": [2.0, positive(2, 3)]}),
    (
        branches,
        ["x", "gain"],
        "gain is a number",
        (A, 0.7),
        {"gain": [0.2], "x": [0.5]},
    ),
    (
        aperture,
        ["n_core", "n_clad"],
        "n_clad has the shape of n_core",
        (A + 1, B),
        {"n_core": [1.5, positive(2, 4) + 1], "n_clad": [0.5, positive(1)]},
    ),
    (aperture, ["n_core"], "n_clad broadcasts to", (A + 1, 0.5), {"n_core": [1.5]}),
    (
        number_of_modes,
        ["a", "NA", "length"],
        "",
        (A, B, C),
        {"a": [0.5], "NA": [0.2], "length": [0.4, positive(2, 4)]},
    ),
    (
        pressure,
        ["n", "T", "V"],
        "",
        (1.0, 300.0, 2.0),
        {"T": [A]},
    ),
    (
        bounded,
        ["x", "low", "high"],
        "",
        (A, B * 0.5, C + 0.5),
        {"low": [0.4], "high": [0.8], "x": [0.5, positive(3, 4)]},
    ),
    (
        feedback,
        ["K", "state"],
        "K is a vector",
        (A, B, C),
        {"K": [positive(1, 4)], "goal": [0.2]},
    ),
    (
        clipped,
        ["K", "high"],
        "high is a number",
        (A, B, -1.0, 5.0),
        {"low": [np.array([-1.0])], "high": [np.full(1, 5.0)]},
    ),
    (
        quadratic,
        ["P", "s"],
        "P is a matrix, s is a vector",
        (positive(4, 4), A, 0.7),
        {"scale": [np.array([0.7])]},
    ),
    (
        score,
        ["W"],
        "W is a matrix",
        (positive(3, 4), A, positive(3), 0.5),
        {"k": [2.0]},
    ),
    (mixed, ["x"], "", (A, 2.0), {"x": [positive(2, 3)], "k": [B, positive(2, 4)]}),
]
IDS = [f"{case[0].__name__}-{len(case[1])}" for case in CASES]


def is_right(function, gradient, wrt, args):
    value = np.asarray(function(*args))
    seed = RNG.uniform(0.5, 1.5, value.shape)[()]
    found = gradient(*args, **{list(inspect.signature(gradient).parameters)[-1]: seed})
    found = found if isinstance(found, tuple) else (found,)
    names = function.__code__.co_varnames
    exact = tuple(float(x) if isinstance(x, int) else x for x in args)
    for one, name in zip(found, wrt, strict=True):
        at = names.index(name)
        want = numeric_gradient(function, exact, at, seed).value
        assert np.shape(one) == np.shape(args[at]), name
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_usual_arguments_are_taken_and_the_gradient_is_right(
    function, wrt, words, args, others
):
    text, gradient = text_of(function, wrt)
    assert words in " ".join(text.split())
    assert not words or "def _" not in text
    is_right(function, gradient, wrt, args)


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_other_arguments_are_right_or_raise(function, wrt, words, args, others):
    _, gradient = text_of(function, wrt)

    def right(given):
        is_right(function, gradient, wrt, given)

    assert sweep(function, gradient, right, args, others)


def test_a_word_that_is_compared_is_no_number():
    text = gradgen.emit(chosen, wrt="x")
    assert "kind is a number" not in text
    names: dict = {}
    exec(text, names)
    np.testing.assert_allclose(names["grad_chosen"](2.0, "log", 3.0), 0.5)
    np.testing.assert_allclose(names["grad_chosen"](2.0, "plain", 3.0), 3.0)

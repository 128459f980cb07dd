"""What a round adds to places of zeros is stored where nothing else meets them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)


def low_pass(x, a):
    y = np.zeros(len(x))
    y[0] = x[0]
    for t in range(1, len(x)):
        y[t] = a * y[t - 1] + (1 - a) * x[t]
    return np.sum(y**2)


def pairs(x):
    s = 0.0
    for k in range(2):
        s = s * x[2 * k] + np.sin(x[2 * k + 1])
    return s * s


def window(x):
    s = 1.0
    for k in range(4):
        s = s * np.sin(x[k]) * x[k + 1]
    return s


def again(x):
    s = 1.0
    for k in range(4):
        s = s * np.sin(x[k])
    return s + x[0] * s


def twice(x):
    s = 1.0
    for k in range(3):
        for j in range(2):
            s = s * np.sin(x[k] + j)
    return s


def table(x):
    s = 1.0
    for k in range(3):
        for j in range(2):
            s = s * np.sin(x[2 * k + j])
    return s


def backwards(x):
    s = 1.0
    for k in range(5, 0, -1):
        s = s * np.cos(x[k]) + x[k]
    return s


def by_steps(x, steps):
    s = 1.0
    for k in range(0, 6, steps):
        s = s * np.cos(x[k]) + x[k]
    return s


def remainders(x):
    s = 1.0
    for k in range(5):
        s = s * np.cos(x[k % 3]) + x[k % 3]
    return s


def chosen(x):
    s = 1.0
    for k in range(5):
        if k > 2:
            s = s * np.cos(x[k])
        else:
            s = s + x[k] ** 2
    return s


def both_arms(x):
    s = 1.0
    for k in range(4):
        if k > 2:
            s = s * np.cos(x[k + 1])
        else:
            s = s + x[k] ** 2 * s
    return s


def from_the_end(x):
    s = 1.0
    for k in range(3):
        s = s * np.cos(x[k]) + x[k - 3]
    return s


def rows(x):
    h = np.zeros(3)
    X = x.reshape(2, 3)
    for t in range(2):
        h = np.tanh(h + X[t]) * X[t]
    return np.sum(h)


def halves(x):
    s = 0.0
    for k in range(2):
        s = s + np.sum(np.sin(x[3 * k : 3 * k + 3])) * (s + 1)
    return s


def overlapping(x):
    s = 0.0
    for k in range(2):
        s = s + np.sum(np.sin(x[2 * k : 2 * k + 3])) * (s + 1)
    return s


# function -> what its gradient stores, and what it adds
PROGRAMS = {
    low_pass: (["d_x[t] = ", "d_x[0] = "], ["d_y[t - 1] += "]),
    pairs: (["d_x[2 * k] = ", "d_x[2 * k + 1] = "], []),
    window: (["d_x[k] = "], ["d_x[k + 1] += "]),
    again: ([], []),
    twice: ([], ["d_x[k] += "]),
    table: ([], []),
    backwards: (["d_x[k] = "], []),
    by_steps: ([], ["d_x[k] += "]),
    remainders: ([], ["+= "]),
    chosen: (["d_x[k] = "], []),
    both_arms: ([], []),
    from_the_end: ([], ["+= "]),
    rows: (["[t] = "], []),
    halves: ([], []),
    overlapping: ([], ["+= "]),
}
OTHERS = {"a": 0.7, "steps": 2}


@pytest.mark.parametrize("options", [{}, {"value": True}, {"style": "callback"}])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_stored_and_what_is_added(function, options):
    x = RNG.uniform(0.3, 1.2, 6)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    args = [x, *(OTHERS[name] for name in names[1:])]
    told = {"x": "6"} | {name: "" for name in names[1:]}
    text = gradgen.emit(function, wrt="x", shapes=told, **options)
    stored, added = PROGRAMS[function]
    assert all(one in text for one in (*stored, *added)), text
    namespace = {}
    exec(text, namespace)
    found = namespace[
        {"value": "value_and_grad_", "style": "vjp_"}.get(*options or ("",), "grad_")
        + function.__name__
    ](*args)
    if options:
        found = found[1]() if "style" in options else found[1]
    want = numeric_gradient(function, args, 0, 1.0).value
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)

"""What a loop computes alike in each round stands before it."""

import numpy as np
import pytest

import gradgen
from tests.simplify.test_by_hand import by_complex_step


def paths(s, z, dt):
    for t in range(len(z)):
        s = s + s * np.sqrt(dt) * z[t]
    return np.sum(s**2)


def kernel(x, w, log_scale):
    for k in range(len(w)):
        x = x * np.exp(-(log_scale**2)) + np.sin(w[k] * x)
    return np.sum(x)


def changed(x, w):
    w = w.copy()
    for k in range(3):
        x = x * np.exp(w)
        w[k] = w[k] + 1
    return np.sum(x)


def divided(x, n, k):
    for _ in range(n):
        x = np.sin(x * (1 / k))
    return np.sum(x)


def paths_of_a_tenth(s, z):
    return paths(s, z, 0.1)


def before_the_loop(text):
    return text[: text.index("for ")]


@pytest.mark.parametrize(
    "function, facts, line",
    [
        (paths, {"s": "n", "z": "k n", "dt": ""}, "np.sqrt(dt)"),
        (kernel, {"x": "n", "w": "k", "log_scale": "n"}, "np.exp(-(log_scale**2))"),
    ],
)
def test_it_is_computed_once_and_not_kept(function, facts, line):
    text = gradgen.emit(function, shapes=facts)
    assert line in before_the_loop(text)
    code = [one.partition("#")[0] for one in text.splitlines()]
    assert sum(line in one for one in code) == 1


def test_what_changes_from_round_to_round_stays():
    text = gradgen.emit(changed, wrt=("x", "w"), shapes={"x": "3", "w": "3"})
    assert "np.exp" not in before_the_loop(text)


def test_what_may_raise_stays_where_it_is():
    gradient = gradgen.grad(divided, shapes={"x": "n"})
    np.testing.assert_array_equal(gradient(np.ones(3), 0, 0), np.ones(3))


RNG = np.random.default_rng(5)
ARGS = [
    (paths_of_a_tenth, (RNG.normal(size=4), RNG.normal(size=(3, 4)))),
    (kernel, (RNG.normal(size=4), RNG.normal(size=3), RNG.normal(size=4))),
    (changed, (RNG.normal(size=3), RNG.normal(size=3))),
]


@pytest.mark.parametrize("function, args", ARGS)
def test_the_numbers(function, args):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    found = gradgen.grad(function, wrt=names)(*args)
    for one, want in zip(found, by_complex_step(function, args), strict=True):
        np.testing.assert_allclose(one, want, rtol=1e-10)

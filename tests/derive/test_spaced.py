"""Grids that a gradient goes through: np.arange of numbers that vary."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def both(dt, tmax):
    return np.sum(np.arange(dt, tmax, dt) ** 2)


def one(a, b):
    return np.sum(np.sin(np.arange(a))) * a + b


def two(a, b):
    return np.sum(np.exp(-np.arange(a, b)) * a)


def from_zero(h, tmax):
    return np.sum(np.cos(np.arange(0, tmax, h)))


def downwards(top, low):
    return np.sum(np.arange(top, low, -0.25) ** 3)


def named(h, tmax):
    return np.sum(np.arange(start=0.1, stop=tmax, step=h) ** 2)


def as_floats(h, tmax):
    return np.sum(np.arange(0, tmax, h, dtype=float) ** 2)


def in_a_loop(h, tmax):
    total = 0.0
    for i in range(1, 4):
        if i != 2:
            total = total + np.sum(np.arange(i * h, tmax, h) ** 2)
    return total


FUNCTIONS = [both, one, two, from_zero, downwards, named, as_floats, in_a_loop]
POINTS = {downwards: (2.1, 0.3), one: (3.4, 0.2)}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_calls_and_texts(function, which):
    args = POINTS.get(function, (0.3, 2.05))
    name = list(function.__code__.co_varnames)[which]
    want = numeric_gradient(function, args, which).value
    got = gradgen.grad(function, name)(*args)
    assert type(got) is float
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)
    space = {}
    exec(gradgen.emit(function, wrt=name), space)
    got = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)
    tangent = gradgen.jvp(function, name)(*args, 1.0)[1]
    np.testing.assert_allclose(tangent, want, rtol=1e-8, atol=1e-9)


def responses(p):
    tmax = -p[1] * np.log(0.05)
    t = np.arange(1.0, tmax, 1.0)
    return p[0] * (1 - np.exp(-t / p[1]))


def test_how_many_there_are_depends_on_what_varies():
    p = np.array([1.2, 3.1])
    seed = np.arange(1.0, 1 + len(responses(p)))
    got = gradgen.grad(responses)(p, seed=seed)
    want = numeric_gradient(lambda p: np.sum(seed * responses(p)), (p,), 0).value
    np.testing.assert_allclose(got, want, rtol=1e-8)


def test_a_grid_of_constants_stays_as_it_is():
    def f(x, h):
        return np.sum(x * np.arange(0, 1, h))

    text = gradgen.emit(f, shapes={"x": "n", "h": ""})
    assert "np.arange(0, 1, h)" in text and "ceil" not in text

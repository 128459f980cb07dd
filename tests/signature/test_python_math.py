"""Functions of math take numbers: nothing else has to tell it."""

import math
import math as m

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def pendulum(theta, omega, g=9.81, dt=0.01):
    for _ in range(20):
        omega += -g * math.sin(theta) * dt
        theta += omega * dt
    return 0.5 * omega**2 + g * (1 - m.cos(theta))


def anomaly(M, e):
    M = math.fmod(M, 2 * math.pi)
    E = M if e < 0.8 else math.pi
    for _ in range(5):
        E += (M - E + e * math.sin(E)) / (1.0 - e * math.cos(E))
    return E


def under_two_names(a, b):
    c = math.sin(a)
    d = c
    d += b
    return c * d


def beside_arrays(x, s):
    w = math.exp(-s)
    return w * np.sum(x**2) + math.log(1 + s * s)


def distance(p, q):
    return math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)


CASES = [
    (pendulum, (0.3, 0.1)),
    (anomaly, (1.2, 0.1)),
    (under_two_names, (0.4, 0.7)),
    (beside_arrays, (np.array([1.0, 2.0, 3.0]), 0.4)),
    (distance, (np.array([1.0, 2.0]), np.array([3.0, 5.0]))),
]


@pytest.mark.parametrize("f, args", CASES, ids=[f.__name__ for f, _ in CASES])
def test_texts_with_nothing_told(f, args):
    names = f.__code__.co_varnames[: len(args)]
    text, space = gradgen.emit(f, names), {}
    assert "def _" not in text
    exec(text, space)
    found = space[f"grad_{f.__name__}"](*args)
    at_hand = gradgen.grad(f, names)(*args)
    for i in range(len(args)):
        wanted = numeric_gradient(f, list(args), i).value
        np.testing.assert_allclose(found[i], wanted, rtol=1e-6)
        np.testing.assert_allclose(at_hand[i], wanted, rtol=1e-6)

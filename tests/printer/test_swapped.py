"""Buffers that a loop hands round are stored into without copies: what a round makes is
none of those that it was handed."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)


def leapfrog(u, c):
    before = u.copy()
    for _ in range(3):
        after = 2 * u - before
        after[1:-1] += c[1:-1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u * u)


def three_levels(u, c):
    older, old = 0.5 * u, u * c
    for _ in range(4):
        new = old + 0.1 * older
        new[1:] -= c[1:] * old[:-1]
        new[0] = 0.0
        older, old = old, new
    return np.sum(np.sin(old) * older)


def ping_pong(u, c):
    a, b = u.copy(), np.zeros_like(u)
    for _ in range(3):
        b[1:-1] = c[1:-1] * (a[2:] + a[:-2])
        a, b = b, a
    return np.sum(a * a) + np.sum(b * c)


def inner_rounds(u, c):
    kept = u * c
    for _ in range(2):
        new = kept * c
        for i in range(len(u) - 5):
            new[i] += kept[i + 1]
            new = 1.0 * new
        kept, u = new, kept
        kept[0] += u[1]
    return np.sum(kept * u)


@pytest.mark.parametrize(
    "function, copies",
    [(leapfrog, 0), (three_levels, 0), (ping_pong, 0), (inner_rounds, 1)],
    ids=lambda v: getattr(v, "__name__", None),
)
@pytest.mark.parametrize("length", (5, 7))
def test_a_round_copies_nothing(function, copies, length):
    shapes = {"u": "n", "c": "n"}
    text = gradgen.emit(function, shapes=shapes, wrt=("u", "c"))
    copied = re.findall(r"^     +\w+ = \w+\.copy\(\)", text, re.MULTILINE)
    assert len(copied) <= copies, text
    names: dict = {}
    exec(text, names)
    args = RNG.normal(size=length), RNG.uniform(0.2, 0.9, length)
    before = [arg.copy() for arg in args]
    found = names[f"grad_{function.__name__}"](*args)
    for i, gradient in enumerate(found):
        expected = numeric_gradient(function, args, i).value
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_array_equal(args[i], before[i])

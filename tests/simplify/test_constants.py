"""Constants with names, 2 * np.pi, cancel in the gradient, whatever sign they have."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def density(r, v):
    return np.sum(-0.5 * np.log(2 * np.pi * v) - r**2 / (2 * v))


def of_residuals(r, v):
    s2 = np.mean(r**2)
    return -0.5 * len(r) * (np.log(2 * np.pi * s2) + np.sum(v))


def round_by_round(r, v):
    total = 0.0
    for i in range(len(r)):
        s2 = r[i] ** 2 + v[0] * v[0]
        total += np.log(2 * np.pi * s2)
    return total


def of_three(r, v):
    return 0.5 * np.log(2 * np.pi * np.e * np.var(r)) + np.sum(v)


def negative(r, v):
    return np.sum(np.log(-np.pi * -v)) - np.pi * np.sum(r) / (-np.pi * np.sum(v))


FUNCTIONS = [density, of_residuals, round_by_round, of_three, negative]


def arguments(dtype=np.float64):
    rng = np.random.default_rng(7)
    return [rng.uniform(0.4, 1.3, 4).astype(dtype) for _ in range(2)]


def emitted(function, **options):
    text = gradgen.emit(function, wrt=["r", "v"], **options)
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    return text, space[f"grad_{function.__name__}"]


@pytest.mark.parametrize("shapes", [{}, {"r": "n", "v": "n"}], ids=["none", "told"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_the_gradient_is_right(function, shapes):
    _, gradient = emitted(function, shapes=shapes)
    found = gradient(*arguments())
    for i, one in enumerate(found):
        want = numeric_gradient(function, arguments(), i, 1.0).value
        assert np.shape(one) == np.shape(want)
        np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-9)
    for one in gradient(*arguments(np.float32), np.float32(1)):
        assert one.dtype == np.float32


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_nothing_is_left_of_the_constants(function):
    text, _ = emitted(function, shapes={"r": "n", "v": "n"})
    lines = [line for line in text.splitlines() if line.strip().startswith("d_")]
    assert lines
    assert not any("pi" in line or "np.e " in line for line in lines)
    assert "3.14" not in text


def cubes(r, v):
    return -np.pi * np.sum(r**3) + v[0]


def scaled(r, v):
    return np.sum(v) - np.sum(-np.pi * r * v)


def quotients(r, v):
    return np.sum(r / -np.pi) - 2 * np.sum(v)


@pytest.mark.parametrize("function", [cubes, scaled, quotients])
def test_a_sign_leaves_the_constant_its_name(function):
    text, gradient = emitted(function, shapes={"r": "n", "v": "n"})
    assert "3.14" not in text and "np.pi" in text
    for i, one in enumerate(gradient(*arguments())):
        want = numeric_gradient(function, arguments(), i, 1.0).value
        np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-9)

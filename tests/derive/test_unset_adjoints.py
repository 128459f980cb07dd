"""Adjoints of what has a value on some ways alone, read in several places behind it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_two_arms(x, m):
    y, v = x * 0.5, x[0]
    if m > 1:
        g = y[1:] * v
    else:
        h = np.outer(y, y[1:])
    for _ in range(2):
        if m > 1:
            y[1:] += g
        else:
            y[:2] = h @ y[:2] if len(h) == 2 else h[0]
    if m > 1:
        y = y * np.sum(g)
    else:
        y = y + h[0, 1]
    return np.sum(y * x)


def of_a_loop(x, m):
    y = x * 0.5
    for k in range(m - 1):
        if k > 0:
            g = y[1] + x[0]
    if x[1] > 0.4 and m > 2:
        y = np.where(y > 0.3, g, y)
    if m > 2:
        y = y * g
    return np.sum(np.sin(y))


def of_rounds_inside(x, m):
    y, s = x * 0.5, 0.0
    for turn in range(2):
        for k in range(m):
            if k > 0:
                for i in range(3):
                    s += g * y[i] * turn  # noqa: F821
            g = np.max(y)  # noqa: F841
    return np.sum(y * x) + s


def of_a_try(x, m):
    y = x * 0.5
    try:
        g = np.linalg.solve(np.eye(len(y)) * (m - 1.0), np.outer(y, x))
        solved = True
    except np.linalg.LinAlgError:
        solved = False
    for i in range(m):
        if solved:
            y = y + g[i]
    return np.sum(g * y) if solved else np.sum(y * x)


def of_complex_numbers(x, m):
    y = x * 0.5
    if m > 1:
        g = y[:2] * np.exp(1j * x[1:])
    s = 0.0
    if m > 1:
        s = s + np.sum(g * g).imag
    if m > 1:
        s = s + np.sum(g.real) * s
    return np.sum(y * x) + s


def of_one_that_hands_on(x, m):
    y, v = x * 0.5, x[0]
    if m > 1:
        g = y[1] + v
        if m > 2:
            h = g * y
    for turn in range(2):
        if m > 1:
            y = y * g
            if m > 2:
                y = y + turn * h
    if m > 2:
        return np.sum(y * h) * g
    return np.sum(y)


FORMS = [
    of_two_arms,
    of_a_loop,
    of_rounds_inside,
    of_a_try,
    of_complex_numbers,
    of_one_that_hands_on,
]


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_nothing_is_made_like_what_has_no_value(function):
    """np.full_like(g, d_g) stood behind a branch of which one arm alone sets g."""
    name = f"grad_{function.__name__}"
    texts = [
        gradgen.emit(function, wrt="x", general=True),
        gradgen.emit(function, wrt="x", shapes={"x": "n", "m": ""}),
    ]
    ways = [gradgen.grad(function, wrt="x")]
    for text in texts:
        space: dict = {}
        exec(text, space)
        ways.append(space[name])
    x = np.array([0.3, 0.5, 0.9])
    for m in (1, 2, 3):
        want = numeric_gradient(lambda x: function(x, m), [x], 0).value
        for made in ways:
            found = made(x, m)
            assert found.shape == x.shape
            np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-12)


def test_float32_stays():
    """What is added to the number 0 has the dtype of what is added."""
    x = np.array([0.3, 0.5, 0.9], np.float32)
    for function in FORMS[:2]:
        assert gradgen.grad(function, wrt="x")(x, 2).dtype == np.float32

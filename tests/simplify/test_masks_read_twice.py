"""Choices that several adjoints go on from: made once, where none multiplies them later."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)
A, B, C, D = (RNG.normal(size=(4, 3)) for _ in range(4))


def gap(a, b, c, d):
    wh = np.clip(np.minimum(a, b) - np.maximum(c, d), 0, None)
    return np.sum(wh[:, 0] * wh[:, 1])


def largest(a, b, c, d):
    return np.sum(np.maximum(np.maximum(a, b), np.maximum(c, d)) * a)


def hinge(a, b, c, d):
    y = np.maximum(a * b - c, 0)
    return np.sum(np.maximum(y - d, 0.1) + np.abs(y))


def masked(a, b, c, d):
    y = np.where(a > 0, b, 0)
    return np.sum(np.where(c > 0, y, 2 * y) + np.minimum(y, d))


def shared(a, b, c, d):
    y = np.where(a > 0, b, c)
    return np.sum(np.where(d > 0, y, -y)) + np.sum(np.where(d > 1, y, 0) ** 2)


CASES = [gap, largest, hinge, masked, shared]


def made(function):
    wrt = ("a", "b", "c", "d")
    text = gradgen.emit(function, wrt=wrt, shapes=dict.fromkeys(wrt, "n m"))
    space = {}
    exec(text, space)
    return text, space[f"grad_{function.__name__}"]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_the_numbers(f):
    _, gradient = made(f)
    for arguments in [(A, B, C, D), (np.round(A), np.round(B), np.round(C), D)]:
        got = gradient(*arguments)
        for i, found in enumerate(got):
            want = numeric_gradient(f, arguments, i)
            sure = want.error < 1e-6  # ties have no derivative
            np.testing.assert_allclose(found[sure], want.value[sure], atol=1e-8)


def test_each_choice_is_made_once():
    text, _ = made(gap)
    assert text.count("wh_diff > 0") == 1
    assert text.count("np.where(") == 2 + 2 * 4 and "0.25" not in text


def guarded(a, b, c, d):
    y = np.maximum(a, 0)
    return np.sum(np.where(y > 0, np.log(y), 0)) + np.sum(np.maximum(y, d))


def test_no_lane_that_was_not_chosen_is_multiplied_by_infinity():
    """Where an adjoint is multiplied later, its mask goes on: 0 * inf is nan."""
    _, gradient = made(guarded)
    a = np.where(A > 0.3, A, -1.0)
    got = gradient(a, B, C, D)
    assert all(np.all(np.isfinite(one)) for one in got)
    want = numeric_gradient(guarded, (a, B, C, D), 0).value
    np.testing.assert_allclose(got[0], want, atol=1e-7)

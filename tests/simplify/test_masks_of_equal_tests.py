"""Masks of tests that are written twice are one mask: what has a hole there stays finite.

Interest curves, and other functions with a removable hole, are written so: each part is
put right where t is 0, by a test of its own.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

T = np.array([0.0, 1.0, 2.0])


def chosen(tau, t):
    x = t / tau
    e = np.exp(-x)
    slope = (1 - e) / x
    return np.sum(np.where(t == 0, 1, slope) + 2 * np.where(t == 0, 0, slope - e))


def stored(tau, t):
    x = t / tau
    e = np.exp(-x)
    slope = (1 - e) / x
    hump = slope - e
    slope[t == 0] = 1
    hump[t == 0] = 0
    return np.sum(slope + 2 * hump)


def both_ways(tau, t):
    x = t / tau
    slope = np.sin(x) / x
    bend = (1 - np.cos(x)) / x**2
    slope = np.where(x == 0, 1.0, slope)
    return np.sum(slope**2) + np.sum(np.where(x == 0, 0.5, bend))


@pytest.mark.parametrize("f", [chosen, stored, both_ways])
@pytest.mark.parametrize("asked", [{}, {"shapes": {"tau": "", "t": "n"}}])
def test_a_hole_has_no_gradient(f, asked):
    with np.errstate(all="ignore"):
        want = numeric_gradient(lambda tau: f(tau, T), [1.5], 0).value
        np.testing.assert_allclose(gradgen.grad(f, **asked)(1.5, T), want, rtol=1e-8)
    space: dict = {}
    exec(gradgen.emit(f, shapes={"tau": "", "t": "n"}), space)
    with np.errstate(all="ignore"):
        found = space[f"grad_{f.__name__}"](1.5, T)
    np.testing.assert_allclose(found, want, rtol=1e-8)
    with np.errstate(all="ignore"):
        moved = [space[f"grad_{f.__name__}"](1.5 + h, T) for h in (1e-4, -1e-4)]
        second = gradgen.hessian(f, **asked)(1.5, T)
    np.testing.assert_allclose(second, (moved[0] - moved[1]) / 2e-4, rtol=1e-6)

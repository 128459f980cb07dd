"""Choices in choices in choices: each is written once, however many stand around it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(5)


def policy(logp, old, adv, clip=0.2):
    ratio = np.exp(logp - old)
    return np.mean(np.minimum(ratio * adv, np.clip(ratio, 1 - clip, 1 + clip) * adv))


def bounded(logp, old, adv, clip=0.2):
    smaller = np.clip(np.minimum(logp * adv, old), -clip, clip)
    return np.sum(np.maximum(smaller, logp * old) * adv)


def hinged(logp, old, adv, clip=0.2):
    low = np.minimum(np.maximum(logp, old), np.clip(adv * logp, -1, 1))
    return np.sum(np.clip(low * old, -clip, 2) ** 2)


@pytest.mark.parametrize("function, most", [(policy, 8), (bounded, 10), (hinged, 12)])
def test_each_choice_is_written_once(function, most):
    told = {"logp": "n", "old": "n", "adv": "n", "clip": ""}
    text = gradgen.emit(function, shapes=told)
    assert text.count("np.where(") <= most and "0.25" not in text
    space: dict = {}
    exec(text, space)
    gradient = space[f"grad_{function.__name__}"]
    for size in (7, 40):
        given = RNG.normal(size=size), RNG.normal(size=size), RNG.normal(size=size)
        want = numeric_gradient(function, given, 0, 1.0).value
        found = gradient(*given)
        assert found.shape == want.shape and found.dtype == want.dtype
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [policy, bounded, hinged])
def test_ties_get_half_and_no_lane_is_nan(function):
    told = {"logp": "n", "old": "n", "adv": "n", "clip": ""}
    space: dict = {}
    exec(gradgen.emit(function, shapes=told), space)
    gradient = space[f"grad_{function.__name__}"]
    # log(1.2) is where the ratio is clipped; inf and 0 stand where nothing is chosen
    logp = np.array([0.5, np.log(1.2), 0.0, -800.0])
    old, adv = np.array([0.2, 0.0, 0.3, 0.0]), np.array([1.0, 2.0, -1.5, 1.0])
    found = gradient(logp, old, adv)
    assert np.isfinite(found).all()
    for at in (0, 2):
        moved = [logp.copy(), logp.copy()]
        moved[0][at] += 1e-6
        moved[1][at] -= 1e-6
        want = (function(moved[0], old, adv) - function(moved[1], old, adv)) / 2e-6
        np.testing.assert_allclose(found[at], want, rtol=1e-4, atol=1e-6)

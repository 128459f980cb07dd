"""A length that an argument alone tells which may be None is held against nothing."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(5)


def broadcasts(times, s):
    f = np.exp(-0.5 * (times / (1 + s**2)) ** 2)
    if s is None:
        s = np.zeros(3)
    return 0.5 * np.sum((f / s) ** 2)


def masked(times, s):
    e = np.zeros_like(s)
    e[s > 0] *= s
    if s is None:
        s = np.zeros(3)
    return np.sum(times * s)


def scaled(times, s):
    e = np.log(1 + times**2 + s**2)
    if s is None:
        s = np.zeros(3)
    if len(s) > 2:
        e = e * np.exp(-s)
    return np.sum((e - times) ** 2)


@pytest.mark.parametrize("function", [broadcasts, masked, scaled])
@pytest.mark.parametrize("shapes", [((), (1,)), ((1,), (1,)), ((2, 1), (1,))])
def test_a_text_is_right_or_raises(function, shapes):
    times, s = (np.array(R.uniform(0.5, 1.5, size=shape)) for shape in shapes)
    space: dict = {}
    exec(gradgen.emit(function, wrt=("times", "s")), space)
    found = space[f"grad_{function.__name__}"](times, s)
    for place, one in enumerate(found):
        want = numeric_gradient(function, (times, s), place).value
        assert np.shape(one) == np.shape(want)
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)

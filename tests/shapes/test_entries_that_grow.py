"""Entries of lists that become larger from round to round, as a number times a row."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def last_times(x, k):
    out = [k * 0.5]
    for v in x:
        out.append(out[-1] * v)
    return np.sum(out[-1] ** 2)


def from_a_number(x, k):
    out = [0.5]
    for v in x:
        out.append(out[-1] * v + k)
    return np.sum(out[-1] ** 2) + np.sum(out[0])


def last_two(x, k):
    out = [k, k * 2]
    for v in x:
        out.append(out[-1] * v + out[-2])
    return np.sum(out[-1] ** 2) + np.sum(out[1])


def by_places(x, k):
    out = [k]
    i = 0
    while i < len(x):
        out.append(out[i] * x[i])
        i += 1
    return sum(np.sum(one) for one in out) * np.sum(k)


def joined(x, k):
    out = [k]
    for i in range(1, len(x)):
        out[-1] = out[-1] * x[i]
        out = out + [out[0] - x[0]]
    return sum(np.sum(one**2) for one in out)


def two_lists(x, k):
    out = [[k], [k * 2]]
    for i in range(1, len(x)):
        out[0].append(out[0][-1] * x[i])
        out[1].append(out[0][-1] - x[0])
    return np.sum(out[0][-1] ** 2) + np.sum(out[1][-1])


FUNCTIONS = [last_times, from_a_number, last_two, by_places, joined, two_lists]
SHAPES = [(3,), (3, 2), (2, 3, 2)], [(), (1,), (2,), (1, 1), (3, 1)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_text_is_right_for_every_shape(function):
    space: dict = {}
    exec(gradgen.emit(function, ("x", "k")), space)
    gradient = space[f"grad_{function.__name__}"]
    rng = np.random.default_rng(4)
    for shapes in itertools.product(*SHAPES):
        given = [rng.normal(size=shape) for shape in shapes]
        try:
            function(*given)
        except ValueError:  # they do not broadcast
            continue
        for at, found in enumerate(gradient(*given)):
            want = numeric_gradient(function, given, at, 1.0).value
            assert np.shape(found) == np.shape(want), shapes
            np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)

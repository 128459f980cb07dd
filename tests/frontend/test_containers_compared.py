"""Containers beside what no container equals: a dictionary == "a", a record is True."""

from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Pair(NamedTuple):
    a: float
    b: float


def equal(k, x):
    return np.sum(x) if k == "a" else np.sum(x**2)


def unequal(k, x):
    return np.sum(x) if k != "a" else np.sum(x**2)


def among(k, x):
    return np.sum(x) if k in ("a", "b") else np.sum(x**2)


def truth(k, x):
    return np.sum(x) if k is True else np.sum(x**3) if k == True else np.sum(x**2)  # noqa: E712


def number(k, x):
    return np.sum(x) if k == 2.0 else np.sum(x**2)


def nothing(k, x):
    return np.sum(x) if k == None else np.sum(x**2)  # noqa: E711


def other_kind(k, x):
    return np.sum(x) if k == [2.0, x[0]] else np.sum(x**2)


def matched(k, x):
    match k:
        case "a":
            return np.sum(x)
        case 2.0:
            return 3 * np.sum(x)
        case None:
            return np.prod(x)
        case _:
            return np.sum(x**2)


KINDS = {
    "dictionary": {"p": 2.0},
    "of_arrays": {"a": np.ones(2)},
    "record": Pair(2.0, 3.0),
    "text": "a",
    "none": None,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "function", [equal, unequal, among, truth, number, nothing, other_kind, matched]
)
def test_compared(function, kind):
    x = np.array([0.7, 0.4, 1.3])
    want = numeric_gradient(lambda x: function(KINDS[kind], x), [x], 0).value
    got = gradgen.grad(function, wrt="x")(KINDS[kind], x)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def test_made_inside():
    def f(x):
        pair = {"a": x[0], "b": x[1] ** 2}
        listed = [x[0], x[1]]
        if pair == "none" or pair == x[0] or listed == (x[0], x[1]):
            return x[0]
        return pair["b"] * listed[0]

    x = np.array([0.7, 0.4])
    np.testing.assert_allclose(gradgen.grad(f)(x), [0.16, 2 * 0.4 * 0.7])

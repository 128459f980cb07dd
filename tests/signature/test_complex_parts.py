"""Containers some parts of which are complex, handed over in a call."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(4)
H = RNG.normal(size=2) + 1j * RNG.normal(size=2)
X = RNG.normal(size=4)


@dataclasses.dataclass
class Channel:
    H: np.ndarray
    s: float


class Pair(NamedTuple):
    H: np.ndarray
    s: float


def plain(X, H, s):
    w = X[:2] + 1j * X[2:]
    return np.log(1 + np.abs(np.vdot(H, w)) ** 2 / s)


def of_a_dictionary(X, P):
    return plain(X, P["H"], P["s"])


def of_a_tuple(X, P):
    channel, s = P
    return plain(X, channel, s)


def of_attributes(X, P):
    return plain(X, P.H, P.s)


def of_parts_of_parts(X, P):
    return plain(X, P["channel"]["H"], P["s"])


CALLS = [
    (of_a_dictionary, {"H": H, "s": 0.3}, lambda g: (g["H"], g["s"])),
    (of_a_tuple, (H, 0.3), lambda g: g),
    (of_attributes, Channel(H, 0.3), lambda g: (g.H, g.s)),
    (of_attributes, Pair(H, 0.3), lambda g: (g.H, g.s)),
    (
        of_parts_of_parts,
        {"channel": {"H": H}, "s": 0.3},
        lambda g: (g["channel"]["H"], g["s"]),
    ),
]


@pytest.mark.parametrize("function, P, parts", CALLS)
def test_by_hand(function, P, parts):
    want = numeric_gradient(lambda X: function(X, P), [X], 0).value
    for _ in range(2):
        found = gradgen.grad(function, wrt="X")(X, P)
        np.testing.assert_allclose(found, want, 1e-6)
        both = gradgen.grad(function, wrt=("X", "P"))(X, P)
        np.testing.assert_allclose(both[0], want, 1e-6)
        of_h, of_s = gradgen.grad(plain, wrt=("H", "s"))(X, H, 0.3)
        np.testing.assert_allclose(parts(both[1])[0], of_h, 1e-12)
        np.testing.assert_allclose(parts(both[1])[1], of_s, 1e-12)


def test_calls_of_both_sorts():
    gradient = gradgen.grad(of_a_dictionary, wrt="X")
    for channel in (H, H.real, H, H.imag + 1):
        P = {"H": channel, "s": 0.3}
        want = numeric_gradient(lambda X: of_a_dictionary(X, P), [X], 0).value
        np.testing.assert_allclose(gradient(X, P), want, 1e-6)


def test_what_is_told_to_be_real_is_refused():
    told = {"X": "4", "P": {"H": "2", "s": ""}}
    gradient = gradgen.grad(of_a_dictionary, wrt="X", shapes=told)
    with pytest.raises(GradgenError, match="complex"):
        gradient(X, {"H": H, "s": 0.3})

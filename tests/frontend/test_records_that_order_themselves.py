"""Calls with records whose classes read their fields, or order them, in their own way:
max(v, w) is refused with the reason, and no text takes them for arrays."""

import typing
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen


@dataclass(frozen=True)
class Pair:
    x: float
    y: float

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __lt__(self, other):
        return self.x < other.x

    def __mul__(self, other):
        return self.x * other.x + self.y * other.y


@dataclass
class Row:
    x: float
    y: float

    def __iter__(self):
        yield self.x
        yield self.y

    def __len__(self):
        return 2

    def __gt__(self, other):
        return self.y > other.y


class Turned(typing.NamedTuple):
    x: float
    y: float

    def __getitem__(self, i):
        return (self.y, self.x)[i]


def larger(v, w):
    return max(v, w)[0] * 2.0


def product(v, w):
    return (v * w) + max(v, w)[0]


def of_a_list(v, w):
    return min([v, w])[1] * 1.0


def first(v, w):
    return v[0] * w[1]


def summed(v, w):
    return np.sum(v) * np.sum(w)


@pytest.mark.parametrize("f", [larger, product, of_a_list, summed])
@pytest.mark.parametrize("kind", [Pair, Row])
def test_what_is_read_in_its_own_way_is_refused(f, kind):
    for made in (gradgen.grad(f), gradgen.value_and_grad(f), gradgen.grad(f, "w")):
        with pytest.raises(gradgen.GradgenError, match=f"{kind.__name__} has its own"):
            made(kind(1.2, 0.3), kind(0.4, 0.5))


def test_what_is_read_by_its_own_method_has_a_gradient():
    value, slope = gradgen.value_and_grad(first)(Pair(1.2, 0.3), Pair(0.4, 0.5))
    assert np.isclose(value, 0.6) and (slope.x, slope.y) == (0.5, 0.0)
    value, slope = gradgen.value_and_grad(first)(Turned(1.2, 0.3), Turned(0.4, 0.5))
    assert np.isclose(value, 0.12) and (slope.x, slope.y) == (0.0, 0.4)
    for f, want in ((first, [0.5, 0.0]), (summed, [0.9, 0.9])):
        got = gradgen.grad(f)(np.array([1.2, 0.3]), np.array([0.4, 0.5]))
        np.testing.assert_allclose(got, want)

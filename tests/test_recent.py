"""What was emitted is asked for again only where it would be the same."""

import functools
import types
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.recent import Recent, key_of

SCALE = 2.0
settings = types.ModuleType("settings")
settings.SCALE = 2.0


def scaled(x):
    return np.sum(SCALE * x * x)


def twice(x):
    return scaled(x) + scaled(x)


def by_module(x):
    return np.sum(settings.SCALE * x * x)


def test_a_constant_of_the_module_that_changes(monkeypatch):
    x = np.array([1.0, 3.0])
    for value in (2.0, 5.0, 2.0):
        monkeypatch.setattr(f"{__name__}.SCALE", value)
        assert np.array_equal(gradgen.grad(scaled)(x), 2 * value * x)
        assert np.array_equal(gradgen.grad(twice)(x), 4 * value * x)


class Pair(NamedTuple):
    a: float

    def scaled(self, x):
        return SCALE * np.sum(self.a * x * x)


PART = functools.partial(scaled)
MADE = gradgen.grad(scaled)


def by_part(x):
    return PART(x)


def by_method(x):
    return Pair(1.0).scaled(x)


def by_derivative(x):
    return np.sum(x * gradgen.grad(lambda t: scaled(t))(x)) / 2


@pytest.mark.parametrize("function", [by_part, by_method, by_derivative])
def test_a_constant_that_is_read_on_the_way(function, monkeypatch):
    x = np.array([1.0, 3.0])
    for value in (2.0, 5.0, 2.0):
        monkeypatch.setattr(f"{__name__}.SCALE", value)
        assert np.array_equal(gradgen.grad(function)(x), 2 * value * x)


def by_gradient_made_before(x):
    return np.sum(MADE(x) ** 2)


def test_a_gradient_that_was_made_before_with_other_constants(monkeypatch):
    x = np.array([1.0, 3.0])
    assert np.array_equal(gradgen.grad(by_gradient_made_before)(x), 32 * x)
    assert np.array_equal(MADE(x), 4 * x)
    monkeypatch.setattr(f"{__name__}.SCALE", 5.0)  # the text of MADE has 2.0
    with pytest.raises(gradgen.GradgenError, match="GG260 what scaled reads"):
        gradgen.grad(by_gradient_made_before)(x)


def test_a_module_whose_numbers_may_change_is_not_remembered():
    assert key_of(by_module) is None
    assert key_of(scaled) is not None


def test_arrays_around_a_function_are_arguments():
    def around(W):
        return lambda x: np.sum(W * x * x)

    one, other = around(np.array([1.0, 2.0])), around(np.array([5.0, 7.0]))
    assert key_of(one) == key_of(other)
    assert key_of(one) != key_of(around(np.ones(3)))
    x = np.array([1.0, 3.0])
    assert np.array_equal(gradgen.grad(one)(x), [2.0, 12.0])
    assert np.array_equal(gradgen.grad(other)(x), [10.0, 42.0])
    assert gradgen.grad(one).function is gradgen.grad(other).function


def test_numbers_around_a_function_are_part_of_it():
    made = [lambda x, k=k: np.sum(k * x) for k in (2.0, 3.0)]
    x = np.ones(2)
    assert [gradgen.grad(f)(x)[0] for f in made] == [2.0, 3.0]


def test_the_oldest_is_forgotten():
    recent = Recent(2)
    for key in "abc":
        recent.keep(key, key.upper())
    assert recent.get("a") is None and recent.get("c") == "C"
    recent.get("b")
    recent.keep("d", "D")
    assert recent.get("c") is None and recent.get("b") == "B"

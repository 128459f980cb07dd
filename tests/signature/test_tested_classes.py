"""Arguments of which a function asks what they are, and raises where they are not."""

from __future__ import annotations

import numbers

import numpy as np
import pytest

import gradgen

STEP = 1e-5


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def dot(self, other, k):
        if isinstance(other, self.__class__):
            return np.sum(self.x * other.x * k) + self.y * other.y
        raise TypeError("a Vec is wanted")

    def asserted(self, other, k):
        """The same with an assertion."""
        assert isinstance(other, type(self)), "a Vec is wanted"
        return np.sum(self.x * other.x * k**2) + self.y * other.y

    def __matmul__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return self.x * other.x + self.y * other.y

    def energy(self, k, w):
        if not isinstance(k, (int, float, np.floating)):
            raise TypeError("a number is wanted")
        return k**2 * np.sum(self.x * w)


class Sub(Vec):
    def dot(self, other, k):
        return 3.0 * k


def damped(x, rate):
    if isinstance(rate, numbers.Real):
        return np.sum(np.exp(-rate * x))
    else:
        raise TypeError


def changed(x, rate):
    rate = np.asarray(rate)
    assert isinstance(rate, np.ndarray)
    return np.sum(np.exp(-rate * x))


ONE, TWO = Vec(1.5, 2.0), Vec(0.5, -1.0)
K = np.array([0.3, 0.9])


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


def slope(function, at):
    found = np.zeros_like(np.atleast_1d(at))
    for i, one in enumerate(np.eye(np.size(at))):
        moved = STEP * (one if np.ndim(at) else one[0])
        near = function(at + moved) - function(at - moved)
        wide = function(at + 2 * moved) - function(at - 2 * moved)
        found[i] = (8 * near - wide) / (12 * STEP)
    return found if np.ndim(at) else found[0]


@pytest.mark.parametrize("name", ["dot", "asserted"])
def test_the_class_that_has_to_be_is_assumed(name):
    method = getattr(Vec, name)
    made = run(gradgen.emit(method, wrt="k"))
    want = slope(lambda k: method(ONE, TWO, k), K)
    np.testing.assert_allclose(made(ONE, TWO, K), want, rtol=1e-8)
    with pytest.raises(ValueError, match="taken for 'Vec'"):
        made(ONE, Sub(0.5, -1.0), K)


@pytest.mark.parametrize("field", ["self.x", "other.x"])
def test_operators_that_take_their_own_class_alone(field):
    made = run(gradgen.emit(Vec.__matmul__, wrt=field))
    assert made(ONE, TWO) == {"self.x": 0.5, "other.x": 1.5}[field]


def test_numbers_that_have_to_be():
    text = gradgen.emit(Vec.energy, wrt="k")
    assert "_unbroadcast" not in text
    want = slope(lambda k: ONE.energy(k, K), 0.7)
    np.testing.assert_allclose(run(text)(ONE, 0.7, K), want, rtol=1e-8)
    text = gradgen.emit(damped, wrt="rate")
    assert "rate ()" in text
    want = slope(lambda rate: damped(K, rate), 0.7)
    np.testing.assert_allclose(run(text)(K, 0.7), want, rtol=1e-8)


def test_what_is_made_before_it_is_asked_tells_nothing():
    text = gradgen.emit(changed, wrt="rate", general=True)
    rate = np.array([0.5, 0.6])
    want = slope(lambda rate: changed(K, rate), rate)
    np.testing.assert_allclose(run(text)(K, rate), want, rtol=1e-8)


def test_calls_go_by_what_they_are_given():
    found = gradgen.grad(ONE.dot, wrt="k")(TWO, K)
    np.testing.assert_allclose(found, slope(lambda k: ONE.dot(TWO, k), K), rtol=1e-8)
    with pytest.raises((TypeError, gradgen.GradgenError)):
        gradgen.grad(ONE.dot, wrt="k")(3.0, K)

"""Arguments that are annotated with a class of the user's: what its text tells."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen

STEP = 1e-6


class Element:
    gain = 1.5

    def __init__(self, mu: float, W, kind="drift", turns=2):
        self.mu, self.W, self.kind, self.turns = mu, W, kind, turns
        self.shift = np.zeros(2)

    def matrix(self):
        return self.W * self.gain

    def handed(self, line, x):
        return x * self.mu * line.k


class Line:
    def __init__(self):
        self.k = 2.0

    def turned(self, element: Element, x):
        return np.sum(x * math.cos(element.mu)) * self.k

    def on(self, element: Element, x):
        return self.turned(element, x) ** 2

    @staticmethod
    def alone(element: "Element", x):
        return np.sum(x) * element.mu

    def by_static(self, element: Element, x):
        return self.alone(element, x) * self.k

    def by_method(self, element: Element, x):
        return np.sum(element.matrix() @ x + element.shift) * self.k

    def by_kind(self, element: Element, x):
        if element.kind == "drift":
            return np.sum(x**2) * element.mu
        return np.sum(x)

    def by_turns(self, element: Element, x):
        for _ in range(element.turns):
            x = x * element.mu
        return np.sum(x)


def of_element(element: Element, x):
    return np.sum(np.sin(element.W @ x)) * element.mu


def of_two(one: Element, other: Element, x):
    return np.sum(one.matrix() @ x) * other.mu


class Other(Element):
    def matrix(self):
        return self.W * 3.0


class Tensor:
    """A stand-in for a library's array."""

    shape = ()


def of_tensor(x: Tensor, y):
    return np.sum(x * y)


@dataclass
class Record:
    mu: float


def of_record(record: Record, x):
    return np.sum(x) * record.mu


LINE, ELEMENT = Line(), Element(0.4, np.array([[1.0, 2.0], [0.5, -1.0]]))
X = np.array([0.3, 0.9])


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


def slope(function):
    found = np.zeros_like(X)
    for i in range(2):
        moved = np.eye(2)[i] * STEP
        near = function(X + moved) - function(X - moved)
        wide = function(X + 2 * moved) - function(X - 2 * moved)
        found[i] = (8 * near - wide) / (12 * STEP)
    return found


NAMES = "turned on by_static by_method by_kind by_turns".split()


@pytest.mark.parametrize("name", NAMES)
def test_methods_with_nothing_told(name):
    made = run(gradgen.emit(getattr(Line, name), wrt="x"))
    want = slope(lambda x: getattr(LINE, name)(ELEMENT, x))
    np.testing.assert_allclose(made(LINE, ELEMENT, X), want, rtol=1e-7)


def test_functions_with_nothing_told():
    made = run(gradgen.emit(of_element, wrt="x"))
    want = slope(lambda x: of_element(ELEMENT, x))
    np.testing.assert_allclose(made(ELEMENT, X), want, rtol=1e-7)
    made = run(gradgen.emit(of_two, wrt="x"))
    second = Element(0.7, np.eye(2))
    want = slope(lambda x: of_two(ELEMENT, second, x))
    np.testing.assert_allclose(made(ELEMENT, second, X), want, rtol=1e-7)


def test_what_is_taken_for_known_is_looked_at():
    made = run(gradgen.emit(Line.by_kind, wrt="x"))
    with pytest.raises(ValueError, match="element.kind is taken for 'drift'"):
        made(LINE, Element(0.4, np.eye(2), "bend"), X)
    made = run(gradgen.emit(Line.by_method, wrt="x"))
    with pytest.raises(ValueError, match="taken for 'Element'|other settings"):
        made(LINE, Other(0.4, np.eye(2)), X)
    made = run(gradgen.emit(Line.by_turns, wrt="x"))
    want = slope(lambda x: LINE.by_turns(Element(0.4, X, turns=3), x))
    np.testing.assert_allclose(made(LINE, Element(0.4, X, turns=3), X), want, rtol=1e-7)


def test_arrays_and_records_are_as_before():
    made = run(gradgen.emit(of_tensor))
    np.testing.assert_allclose(made(X, 2 * X), 2 * X)
    made = run(gradgen.emit(of_record, wrt="x"))
    np.testing.assert_allclose(made(Record(0.5), X), [0.5, 0.5])

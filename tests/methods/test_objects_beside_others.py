"""Objects whose attributes another object's method reads, and lists of them."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

STEP = 1e-30


class Element:
    def __init__(self, mu):
        self.mu = mu

    def turned(self, line, x):
        return x * math.cos(self.mu) * line.k


def turned(element, x):
    return x * math.cos(element.mu)


class Line:
    def __init__(self, k=2.0, inner=None):
        self.k, self.inner = k, inner
        self.way, self.own = turned, self.by_method

    def by_method(self, element, x):
        return x * math.cos(element.mu) * self.k

    @staticmethod
    def by_static(element, x):
        return x * math.cos(element.mu)

    def method(self, element, x):
        return self.by_method(element, x)

    def static(self, element, x):
        return self.by_static(element, x) * self.k

    def held(self, element, x):
        return self.own(element, x)

    def function(self, element, x):
        return self.way(element, x) * self.k

    def back(self, element, x):
        return element.turned(self, x)

    def part(self, element, x):
        return self.inner.by_method(element, x) * self.k


def of_both(line, element, x):
    return line.by_method(element, x)


LINE = Line(2.0, Line(3.0))
METHODS = [
    (LINE.method, 2.0),
    (LINE.static, 2.0),
    (LINE.held, 2.0),
    (LINE.function, 2.0),
    (LINE.back, 2.0),
    (LINE.part, 6.0),
]


@pytest.mark.parametrize(
    "method, k", METHODS, ids=lambda one: getattr(one, "__name__", str(one))
)
def test_an_instance_is_handed_on(method, k):
    element = Element(0.4)
    for name, want in (("x", math.cos(0.4)), ("element.mu", -0.3 * math.sin(0.4))):
        found = gradgen.grad(method, wrt=name)(element, 0.3)
        np.testing.assert_allclose(found, k * want, rtol=1e-14)
        made = run(gradgen.emit(method, wrt=name, example=(element, 0.3)))
        np.testing.assert_allclose(made(LINE, element, 0.3), k * want, rtol=1e-14)


def test_two_instances_of_a_function():
    found = gradgen.grad(of_both, wrt=("element.mu", "line.k"))
    got = found(LINE, Element(0.4), 0.3)
    want = -0.6 * math.sin(0.4), 0.3 * math.cos(0.4)
    np.testing.assert_allclose(got, want, rtol=1e-14)


def test_other_classes_at_another_call():
    class Bent(Element):
        def turned(self, line, x):
            return x * self.bend * line.k

    bent = Bent(0.4)
    bent.bend = 0.5
    gradient = gradgen.grad(LINE.back, wrt="x")
    np.testing.assert_allclose(gradient(Element(0.4), 0.3), 2 * math.cos(0.4))
    np.testing.assert_allclose(gradient(bent, 0.3), 1.0)
    np.testing.assert_allclose(gradient(Element(0.2), 0.3), 2 * math.cos(0.2))


@dataclass
class Atom:
    place: int
    charge: float


def energy(positions, atoms):
    total = 0.0
    n = len(atoms)
    for i in range(n):
        for j in range(i + 1, n):
            d = positions[i] - positions[j]
            total += atoms[i].charge * atoms[j].charge / np.sqrt(np.sum(d**2))
    return total


class Field:
    def __init__(self, scale):
        self.scale = scale

    def energy(self, positions, atoms: list[Atom]):
        total = 0.0
        n = len(atoms)
        for i in range(n):
            for j in range(i + 1, n):
                d = positions[i] - positions[j]
                total += atoms[i].charge * atoms[j].charge / np.sqrt(np.sum(d**2))
        return total * self.scale

    def handed(self, positions, atoms):
        return self.energy(positions, atoms)


POSITIONS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1.0, 0.5]])
ATOMS = [Atom(0, 0.5), Atom(1, 0.7), Atom(2, -0.3)]
FIELD = Field(2.0)


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


def by_complex_step(function, x):
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[place] += 1j * STEP
        found[place] = np.imag(function(moved)) / STEP
    return found


@pytest.mark.parametrize("atoms", [ATOMS, ATOMS[:2], tuple(ATOMS)], ids=len)
@pytest.mark.parametrize(
    "method", [FIELD.energy, FIELD.handed], ids=lambda m: m.__name__
)
def test_a_list_of_records_of_a_method(method, atoms):
    want = by_complex_step(lambda x: FIELD.energy(x, atoms), POSITIONS)
    found = gradgen.grad(method, wrt="positions")(POSITIONS, atoms)
    np.testing.assert_allclose(found, want, rtol=1e-12)
    of_class = gradgen.grad(getattr(Field, method.__name__), wrt="positions")
    np.testing.assert_allclose(of_class(FIELD, POSITIONS, atoms), want, rtol=1e-12)
    scaled = gradgen.grad(method, wrt="self.scale")(POSITIONS, atoms)
    np.testing.assert_allclose(scaled, energy(POSITIONS, atoms), rtol=1e-12)


def test_a_list_of_records_of_an_example():
    want = by_complex_step(lambda x: energy(x, ATOMS), POSITIONS)
    made = run(gradgen.emit(energy, wrt="positions", example=(POSITIONS, ATOMS)))
    np.testing.assert_allclose(made(POSITIONS, ATOMS), want, rtol=1e-12)
    others = [Atom(0, 1.5), Atom(1, 0.2), Atom(2, 0.3)]
    want = by_complex_step(lambda x: energy(x, others), POSITIONS)
    np.testing.assert_allclose(made(POSITIONS, others), want, rtol=1e-12)
    with pytest.raises(ValueError, match=r"len\(atoms\) is taken for 3"):
        made(np.ones((6, 3)), ATOMS + ATOMS)
    text = gradgen.emit(FIELD.energy, wrt="positions", example=(POSITIONS, ATOMS))
    want = by_complex_step(lambda x: FIELD.energy(x, ATOMS), POSITIONS)
    np.testing.assert_allclose(run(text)(FIELD, POSITIONS, ATOMS), want, rtol=1e-12)


def summed(elements, x):
    return sum(one.turned(LINE, x) for one in elements)


class Kind(Element):
    def turned(self, line, x):
        return x


def test_the_objects_of_a_list_are_looked_at():
    elements = [Element(0.4), Element(0.1)]
    made = run(gradgen.emit(summed, wrt="x", example=(elements, 0.3)))
    want = 2.0 * (math.cos(0.4) + math.cos(0.1))
    np.testing.assert_allclose(made(elements, 0.3), want, rtol=1e-14)
    with pytest.raises(ValueError, match="taken for|other settings"):
        made([Element(0.4), Kind(0.1)], 0.3)
    with pytest.raises(ValueError, match="taken for|other settings"):
        made([*elements, Element(0.1)], 0.3)


def test_what_is_no_object_is_refused_as_before():
    with pytest.raises(GradgenError, match="charge"):
        gradgen.grad(FIELD.energy, wrt="positions")(POSITIONS, [1.0, 2.0])


def test_the_class_of_an_argument_of_a_method_is_looked_at():
    made = run(gradgen.emit(LINE.back, wrt="x", example=(Element(0.4), 0.3)))
    np.testing.assert_allclose(made(LINE, Element(0.1), 0.3), 2 * math.cos(0.1))
    with pytest.raises(ValueError, match="taken for 'Element'"):
        made(LINE, Kind(0.4), 0.3)

"""A gradient is asked of by the name of a property that hands on what is stored."""

from types import SimpleNamespace

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

P, Q = np.array([0.1, 0.2, 0.3]), np.array([1.4, 0.1, -0.2])


class Atom:
    def __init__(self, coords, charge):
        self.coords = coords
        self._charge = charge

    @property
    def coords(self):
        """Where it is."""
        return self._coords

    @coords.setter
    def coords(self, coords):
        if len(coords) != 3:
            raise ValueError("three of them")
        self._coords = coords

    @property
    def charge(self):
        return self._charge

    @property
    def position(self):
        return self.coords

    @property
    def doubled(self):
        return 2 * self._charge


def distance(a, b):
    return np.linalg.norm(a.coords - b.coords)


def potential(a, b):
    return a.charge * b.charge / distance(a, b)


class Bond:
    def __init__(self, a, b, length=1.1):
        self.a, self.b = a, b
        self._length = length

    @property
    def length(self):
        return self._length

    def energy(self, k):
        return k * (distance(self.a, self.b) - self.length) ** 2


def unit():
    return (P - Q) / np.linalg.norm(P - Q)


R = np.linalg.norm(P - Q)
FUNCTIONS = [
    (distance, "a.coords", unit()),
    (distance, "b.position", -unit()),
    (distance, "b._coords", -unit()),
    (potential, "a.charge", 0.5 / R),
    (potential, "b.coords", 0.4 * 0.5 / R**2 * unit()),
]
METHODS = [
    ("self.a.coords", 2 * 3.0 * (R - 1.1) * unit()),
    ("self.b.position", -2 * 3.0 * (R - 1.1) * unit()),
    ("self.length", -2 * 3.0 * (R - 1.1)),
    ("k", (R - 1.1) ** 2),
]


@pytest.mark.parametrize("function, wrt, slope", FUNCTIONS)
def test_of_objects(function, wrt, slope):
    atoms = Atom(P, 0.4), Atom(Q, 0.5)
    found = gradgen.grad(function, wrt=wrt)(*atoms)
    np.testing.assert_allclose(found, slope, rtol=1e-12)
    assert np.shape(found) == np.shape(slope)


@pytest.mark.parametrize("wrt, slope", METHODS)
def test_of_instances(wrt, slope):
    bond = Bond(Atom(P, 0.4), Atom(Q, 0.5))
    np.testing.assert_allclose(gradgen.grad(bond.energy, wrt=wrt)(3.0), slope)
    value, found = gradgen.value_and_grad(bond.energy, wrt=(wrt,))(3.0)
    np.testing.assert_allclose(found[0], slope, rtol=1e-12)
    np.testing.assert_allclose(value, 3.0 * (R - 1.1) ** 2, rtol=1e-12)


@pytest.mark.parametrize("wrt, slope", METHODS)
def test_of_texts_for_an_instance(wrt, slope):
    bond = Bond(Atom(P, 0.4), Atom(Q, 0.5))
    namespace = {}
    exec(gradgen.emit(bond.energy, wrt=wrt, example=(3.0,)), namespace)
    np.testing.assert_allclose(namespace["grad_energy"](bond, 3.0), slope, rtol=1e-12)


def test_what_is_computed_is_no_part():
    atoms = Atom(P, 0.4), Atom(Q, 0.5)
    with pytest.raises(GradgenError) as problem:
        gradgen.grad(computed, wrt="a.doubled")(*atoms)
    assert problem.value.code == "GG021"


def computed(a, b):
    return a.doubled * b.charge


def test_a_namespace_keeps_its_names():
    a, b = (SimpleNamespace(coords=x, charge=1.0) for x in (P, Q))
    found = gradgen.grad(distance, wrt="a.coords")(a, b)
    np.testing.assert_allclose(found, unit(), rtol=1e-12)

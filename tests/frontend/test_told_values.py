"""Dictionaries of the module that __init__ takes, and instances that it makes by turns."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

STEP = 1e-30
BONDS = {"CC": {"k": 3.0, "r0": 1.5}, "CH": {"k": 2.0, "r0": 1.1}}
KINDS = {"CC": {"k": 3.0, "r0": 1.5, "kind": "harmonic"}}
TABLES = {"knots": np.array([0.0, 1.0, 3.0]), "scale": 2.0, "inner": BONDS}
RING = {"k": 2.0}
RING["ring"] = RING
BY_NUMBER = {1: 2.0, 2: 3.0}
COUNT = 3


class Bonds:
    def __init__(self):
        self.bonds, self.tables, self.ring = BONDS, TABLES, RING
        self.numbers, self.kinds = BY_NUMBER, KINDS

    def by_key(self, r, key):
        bond = self.bonds[key]
        return bond["k"] * (r - bond["r0"]) ** 2

    def by_word(self, r):
        bond = self.kinds["CC"]
        if bond["kind"] == "harmonic":
            return bond["k"] * (r - bond["r0"]) ** 2
        return bond["k"] * r

    def with_default(self, r):
        bond = self.bonds.get("CC", {"k": 1.0, "r0": 1.0})
        return bond["k"] * (r - bond["r0"]) ** 2

    def nested(self, r):
        return np.sum(self.tables["knots"] * r**2) * self.tables["inner"]["CH"]["k"]

    def of_ring(self, r):
        return self.ring["k"] * r**2

    def of_number(self, r):
        return self.numbers[1] * r**2


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


def by_complex_step(function, x):
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[place] += 1j * STEP
        found[place] = np.imag(np.sum(function(moved))) / STEP
    return found


R = np.array(1.7)


@pytest.mark.parametrize(
    "name, more",
    [
        ("by_key", ("CC",)),
        ("by_key", ("CH",)),
        ("by_word", ()),
        ("with_default", ()),
        ("nested", ()),
        ("of_ring", ()),
        ("of_number", ()),
    ],
)
def test_a_dictionary_of_the_module(name, more):
    bonds = Bonds()
    want = by_complex_step(lambda r: getattr(bonds, name)(r, *more), R)
    for options in ({}, {"general": True}):
        made = run(gradgen.emit(getattr(Bonds, name), wrt="r", **options))
        np.testing.assert_allclose(made(bonds, 1.7, *more), want, rtol=1e-12)


def test_other_dictionaries_than_the_modules():
    made = run(gradgen.emit(Bonds.by_word, wrt="r"))
    bonds = Bonds()
    bonds.kinds = {"CC": {"k": 5.0, "r0": 1.0, "kind": "harmonic"}, "CH": {}}
    np.testing.assert_allclose(made(bonds, 1.7), 7.0)
    bonds.kinds = {"CC": {"k": 5.0, "r0": 1.0, "kind": "linear"}}
    with pytest.raises(ValueError, match="is taken for 'harmonic'"):
        made(bonds, 1.7)
    made = run(gradgen.emit(Bonds.by_key, wrt="r"))
    with pytest.raises(KeyError):
        made(Bonds(), 1.7, "CO")


class Head:
    def __init__(self, n, shift=0.0):
        self.W, self.shift = np.eye(n) + 0.1, shift

    def forward(self, X):
        return np.tanh(X @ self.W + self.shift)


class Heads:
    def __init__(self, n, count=2):
        self.heads = [Head(n) for _ in range(count)]
        self.of_module = list(Head(n) for _ in range(COUNT))
        self.of_numbers = [Head(n, shift) for shift in (0.5, 1.0)]
        self.many = [Head(n) for _ in range(n)]

    def by_default(self, X):
        return np.sum(np.hstack([head.forward(X) for head in self.heads]) ** 2)

    def by_the_module(self, X):
        for head in self.of_module:
            X = head.forward(X)
        return X

    def by_numbers(self, X):
        return self.of_numbers[0].forward(X) * self.of_numbers[1].forward(X)

    def by_size(self, X):
        return sum(head.forward(X) for head in self.many)


X = np.array([[0.1, -0.4, 0.7], [0.3, 0.2, -0.5]])


@pytest.mark.parametrize("name", ["by_default", "by_the_module", "by_numbers"])
def test_instances_that_are_made_by_turns(name):
    heads = Heads(3)
    want = by_complex_step(getattr(heads, name), X)
    for options in ({}, {"general": True}):
        made = run(gradgen.emit(getattr(Heads, name), wrt="X", **options))
        np.testing.assert_allclose(made(heads, X), want, rtol=1e-12)


def test_another_number_of_instances():
    made = run(gradgen.emit(Heads.by_default, wrt="X"))
    with pytest.raises(ValueError, match="other settings"):
        made(Heads(3, 4), X)
    with pytest.raises(GradgenError, match="forward"):
        gradgen.emit(Heads.by_size, wrt="X")

"""Texts of methods hold for instances with other whole numbers than __init__ sets."""

from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, 0.9, 1.3])


class Power:
    def __init__(self, order=2, times=1):
        self.order = order
        self.times = times

    def loss(self, x):
        return np.sum(x**self.order) * self.times


class Rounds:
    def __init__(self, n=3):
        self.n = n

    def loss(self, x):
        total = 0.0
        for i in range(self.n):
            total = total + x[i] ** 2
        return total


class Counting:
    def __init__(self):
        self.count = 0
        self.fitted = False
        self.history = []

    def loss(self, x):
        if not self.fitted:
            return np.sum(x)
        return np.sum(x**2) * self.count + len(self.history)


class Pair:
    def __init__(self):
        self.powers = (1, 2)
        self.table = {"times": 3}

    def loss(self, x):
        first, second = self.powers
        return np.sum(x**first) + np.sum(x**second) * self.table["times"]


def counted(times):
    made = Counting()
    made.count, made.fitted = times, True
    return made


def paired(powers, times):
    made = Pair()
    made.powers, made.table = powers, {"times": times}
    return made


@pytest.mark.parametrize(
    "cls, one",
    [
        (Power, Power()),
        (Power, Power(3, 5)),
        (Power, Power(order=1)),
        (Rounds, Rounds()),
        (Rounds, Rounds(2)),
        (Counting, Counting()),
        (Counting, counted(4)),
        (Pair, Pair()),
        (Pair, paired((3, 1), 2)),
    ],
)
def test_other_whole_numbers(cls, one):
    space = {}
    exec(gradgen.emit(f"{__name__}:{cls.__name__}.loss", wrt="x"), space)
    want = numeric_gradient(one.loss, (X,), 0).value
    np.testing.assert_allclose(space["grad_loss"](one, X), want, rtol=1e-7, atol=1e-9)


class Network:
    def __init__(self):
        self.layers = []

    def add(self, layer):
        self.layers.append(layer)

    def loss(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return np.sum(x)


class Terms:
    def __init__(self):
        self.table = {}

    def loss(self, x):
        total = np.sum(x)
        for _, term in self.table.items():
            total = total + term * np.sum(x**2)
        return total


class Fitted:
    def __init__(self):
        self.steps = list()

    def loss(self, x):
        for step in self.steps:
            x = step.transform(x)
        return np.sum(x)


@pytest.mark.parametrize("cls", [Network, Terms, Fitted])
def test_what_is_empty_at_first_is_not_known(cls):
    with pytest.raises(GradgenError, match="GG206|GG245"):
        gradgen.emit(f"{__name__}:{cls.__name__}.loss", wrt="x")


class Scales:
    def __init__(self):
        self.factors = []

    def loss(self, x):
        total = np.sum(x)
        for factor in self.factors:
            total = total + factor * np.sum(x**2)
        return total


def test_numbers_in_what_is_empty_at_first_are_read():
    space = {}
    exec(gradgen.emit(f"{__name__}:Scales.loss", wrt="x"), space)
    one = Scales()
    one.factors = np.array([2.0, 0.5])
    np.testing.assert_allclose(space["grad_loss"](one, X), 1 + 5 * X)


class Filling:
    def __init__(self):
        self.seen = {}

    def loss(self, x):
        self.seen["squares"] = x**2
        return np.sum(self.seen["squares"])


def test_what_the_method_fills_itself_is():
    space = {}
    exec(gradgen.emit(f"{__name__}:Filling.loss", wrt="x"), space)
    np.testing.assert_allclose(space["grad_loss"](Filling(), X), 2 * X)


class Shaped:
    def __init__(self, rows=2):
        self.rows = rows

    def loss(self, x):
        rows = np.split(x, self.rows)
        return np.sum(rows[0] * rows[1])


def test_what_is_decided_is_told():
    text = gradgen.emit(f"{__name__}:Shaped.loss", wrt="x")
    assert "Decided: self.rows is 2" in text


@dataclass
class Told:
    order: int = 2
    scale: float = 1.0
    doubled: bool = False

    def loss(self, x):
        found = np.sum(x**self.order) * self.scale
        return 2 * found if self.doubled else found


class Constants:
    kind = "power"
    order = 2
    scale = 1.0

    def loss(self, x):
        if self.kind == "power":
            return np.sum(x**self.order) * self.scale
        return np.sum(x)


class Cubes(Constants):
    order = 3
    scale = 0.5


class Annotated:
    def __init__(self, order: int = 2, kind: str = "power"):
        self.order = order
        self.kind = kind

    def loss(self, x):
        return np.sum(x**self.order) if self.kind == "power" else np.sum(x)


@pytest.mark.parametrize(
    "cls, one",
    [
        (Told, Told(3)),
        (Told, Told(2, 0.5, True)),
        (Constants, Constants()),
        (Constants, Cubes()),
        (Annotated, Annotated(4)),
    ],
)
def test_of_classes_and_annotations(cls, one):
    space = {}
    text = gradgen.emit(f"{__name__}:{cls.__name__}.loss", wrt="x")
    exec(text, space)
    want = numeric_gradient(one.loss, (X,), 0).value
    np.testing.assert_allclose(space["grad_loss"](one, X), want, rtol=1e-7, atol=1e-9)
    assert (" is 'power'" in text) == hasattr(one, "kind")

"""Methods of members of an enum, and members that are called."""

import enum

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

X = np.array([0.3, -0.7, 1.2])


class Kind(enum.Enum):
    UP = "up"
    DOWN = "down"

    def scaled(self, x, by=2.0):
        return x * by if self is Kind.UP else x / by

    @staticmethod
    def halved(x):
        return x / 2

    @classmethod
    def first(cls):
        return cls.UP

    @property
    def rate(self):
        return 3.0 if self is Kind.DOWN else 1.5

    def __call__(self, x):
        return np.sin(x) if self == Kind.UP else np.cos(x)


class Planet(enum.Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.642, 3.39)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def pull(self):
        return 66.7 * self.mass / self.radius**2

    def weight(self, m):
        return m * self.pull


class Way(str, enum.Enum):
    SUM = "sum"
    MEAN = "mean"

    def reduced(self, x):
        return np.sum(x) if self is Way.SUM else np.mean(x)


class Order(enum.IntEnum):
    TWO = 2

    def power(self, x):
        return x ** int(self)


def by_name(x):
    return Kind.UP.scaled(x) + Kind.DOWN.scaled(x, by=3.0) * Kind.halved(x)


def by_default(x, kind=Kind.DOWN):
    return kind(x) + kind.scaled(x) * kind.rate


def of_class(x):
    kind = Kind.first()
    return kind.scaled(x) * kind(x)


def with_init(x):
    return Planet.MARS.weight(x) + Planet.EARTH.pull * x


def of_words(x):
    return Way("mean").reduced(x * x) + Way.SUM.reduced(x)


def of_numbers(x):
    return Order.TWO.power(x)


def each(x):
    total = 0.0
    for kind in Kind:
        total = total + kind.scaled(x) * kind(x)
    return total


@pytest.mark.parametrize(
    "f", [by_name, by_default, of_class, with_init, of_words, of_numbers, each]
)
def test_a_method_of_a_member_is_its_text(f):
    compare(f, (X,))


class Layer:
    def __init__(self, kind=Kind.UP):
        self.kind = kind
        self.kinds = [Kind.UP, Kind.DOWN]

    def forward(self, x):
        return self.kind(x) * self.kind.scaled(x) * self.kind.rate

    def through(self, x):
        for kind in self.kinds:
            x = kind(kind.scaled(x))
        return x


@pytest.mark.parametrize("name", ["forward", "through"])
@pytest.mark.parametrize("kind", list(Kind))
def test_a_member_that_an_instance_holds(name, kind):
    compare(getattr(Layer(kind), name), (X,), text=False)


def test_a_text_of_a_held_member_asks_for_it():
    space = {}
    exec(gradgen.emit(Layer.forward), space)
    h = 1e-6
    layer = Layer()
    want = (layer.forward(0.7 + h) - layer.forward(0.7 - h)) / (2 * h)
    np.testing.assert_allclose(space["grad_forward"](layer, 0.7), want, rtol=1e-8)
    with pytest.raises(ValueError, match="Kind.UP"):
        space["grad_forward"](Layer(Kind.DOWN), 0.7)


def test_another_member_at_the_call_has_its_own_gradient():
    def f(x, kind):
        return kind.scaled(x)

    assert gradgen.grad(f)(2.0, Kind.UP) == 2.0
    assert gradgen.grad(f)(2.0, Kind.DOWN) == 0.5

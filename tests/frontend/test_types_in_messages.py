"""The type of an argument in a message, and what an instance makes by its own class."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

X = np.array([0.3, 0.8, 1.4])


def as_number(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) ** 2
    raise TypeError(f"expected a number, got {type(value).__name__}")


def by_its_class(value):
    if isinstance(value, (int, float)):
        return 3.0 * value
    raise TypeError("no number but " + value.__class__.__name__)


def by_a_name(value):
    kind = type(value)
    if np.ndim(value) > 1:
        raise ValueError("{} of {}".format(kind.__name__, kind.__module__))
    return value**3


def is_a_float(value):
    return value**2 if value.__class__ is float else value


@pytest.mark.parametrize("f", [as_number, by_its_class, by_a_name, is_a_float])
def test_of_a_number(f):
    step = 1e-6
    want = (f(0.7 + step) - f(0.7 - step)) / (2 * step)
    space = {}
    exec(gradgen.emit(f), space)
    for made in (gradgen.grad(f), space[f"grad_{f.__name__}"]):
        assert made(0.7) == pytest.approx(want, rel=1e-8)


@pytest.mark.parametrize("f", [as_number, by_its_class])
def test_the_message_is_the_functions(f):
    space = {}
    exec(gradgen.emit(f), space)
    with pytest.raises(TypeError) as own:
        f("two")
    with pytest.raises(TypeError) as found:
        space[f"grad_{f.__name__}"]("two")
    assert str(found.value) == str(own.value)


class Turn:
    scale = 2.0

    def __init__(self, q):
        self.q = q

    @classmethod
    def of(cls, q):
        return cls(q * q)

    @property
    def log(self):
        return self.__class__(np.log(self.q))

    def squared(self):
        return self.__class__.of(self.q)

    def scaled(self):
        return self.__class__(self.q * self.__class__.scale)

    def plus(self, other):
        if not isinstance(other, self.__class__):
            other = self.__class__(other)
        return type(self)(self.q + other.q)


class Larger(Turn):
    scale = 5.0


def by_a_property(x):
    return np.sum(Turn(x).log.q ** 2)


def by_a_class_method(x):
    return np.sum(Turn(x).squared().q)


def by_a_class_attribute(x):
    return np.sum(Larger(x).scaled().q ** 2)


def by_another(x):
    return np.sum(Turn(x).plus(x**3).q ** 2) + np.sum(Turn(x).plus(Turn(x)).q)


def outside(x):
    turn = Larger(x)
    return np.sum(turn.__class__(2 * x).scaled().q)


@pytest.mark.parametrize(
    "f",
    [by_a_property, by_a_class_method, by_a_class_attribute, by_another, outside],
)
def test_what_the_own_class_makes(f):
    compare(f, (X,))

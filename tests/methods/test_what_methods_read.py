"""Attributes that a class tells nothing of: objects, dictionaries, what may be None."""

import dataclasses
import enum
import types
import typing

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([[0.4, 0.9, 1.3], [-0.2, 0.6, 0.8]])


class Car:
    def __init__(self, params, table=None, scale=None):
        self.params = params
        self.table = table or {}
        self.scale = scale
        self.mask = None

    def by_field(self, x):
        drag = self.params.drag * np.sum(x**2)
        return drag + np.sum(np.tanh(x / self.params.body.mass))

    def by_key(self, x):
        return np.sum(np.tanh(x @ self.table["W"] + self.table["b"]))

    def all_keys(self, x):
        return np.sum(x * self.table["b"][0]) * len(self.table)

    def values(self, x):
        total = np.sum(x * self.table["b"][0])
        for value in self.table.values():
            total = total + np.sum(value)
        return total

    def scaled(self, x):
        if self.scale is None:
            return np.sum(x**2)
        return np.sum((x / self.scale) ** 2)

    def masked(self, x):
        y = x * self.mask if self.mask is not None else x
        return np.sum(np.sin(y))


def car(scale=None, mask=None):
    params = types.SimpleNamespace(drag=0.3, body=types.SimpleNamespace(mass=1.7))
    table = {"W": np.full((3, 2), 0.4), "b": np.array([0.1, -0.2]), "more": 1.0}
    made = Car(params, table, scale)
    made.mask = mask
    return made


CASES = [
    ("by_field", car()),
    ("by_key", car()),
    ("scaled", car()),
    ("scaled", car(2.0)),
    ("scaled", car(np.array([1.0, 2.0, 4.0]))),
    ("masked", car()),
    ("masked", car(mask=X > 0.5)),
]


@pytest.mark.parametrize("name, instance", CASES)
def test_the_text_of_the_class(name, instance):
    space = {}
    exec(gradgen.emit(getattr(Car, name)), space)
    found = space[f"grad_{name}"](instance, X)
    want = numeric_gradient(getattr(instance, name), (X,), 0).value
    assert found.shape == X.shape
    np.testing.assert_allclose(found, want, rtol=2e-6, atol=1e-9)


@pytest.mark.parametrize("name", ["all_keys", "values"])
def test_how_many_keys_there_are_is_not_assumed(name):
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(getattr(Car, name))
    assert caught.value.code == "GG245"
    assert "an instance that holds it" in str(caught.value)
    one = car()
    space = {}
    exec(gradgen.emit(getattr(one, name)), space)
    want = numeric_gradient(getattr(one, name), (X,), 0).value
    np.testing.assert_allclose(space[f"grad_{name}"](one, X), want, rtol=2e-6)


def test_a_field_and_a_key_have_gradients():
    space, one = {}, car()
    exec(gradgen.emit(Car.by_field, wrt="self.params.drag"), space)
    assert np.isclose(space["grad_by_field"](one, X), np.sum(X**2))
    exec(gradgen.emit(Car.by_key, wrt='self.table["b"]'), space)

    def at(b):
        other = car()
        other.table["b"] = b
        return other.by_key(X)

    want = numeric_gradient(at, (one.table["b"],), 0).value
    np.testing.assert_allclose(space["grad_by_key"](one, X), want, rtol=2e-6)


class Shape(enum.Enum):
    ROUND = "round"
    FLAT = "flat"


@dataclasses.dataclass
class Options:
    shape: Shape = Shape.ROUND
    rate: float = 0.5


class Form:
    def __init__(self, options: Options, act: typing.Callable = np.tanh):
        self.options = options
        self.act = act

    def loss(self, x):
        if self.options.shape is Shape.ROUND:
            return np.sum(self.act(x) ** 2) * self.options.rate
        return np.sum(np.abs(self.act(x)))


def test_what_a_class_has_by_default_is_decided_and_looked_at():
    space, form = {}, Form(Options())
    exec(text := gradgen.emit(Form.loss), space)
    want = numeric_gradient(form.loss, (X,), 0).value
    np.testing.assert_allclose(space["grad_loss"](form, X), want, rtol=2e-6)
    assert "Shape.ROUND" in text
    for other in (Form(Options(Shape.FLAT)), Form(Options(), np.sin)):
        with pytest.raises(ValueError, match="is taken for|other settings"):
            space["grad_loss"](other, X)


class Flat:
    def __init__(self, n: int, flat=True):
        if flat:
            self.b = np.full(n, 0.3)
        else:
            self.b = np.full((1, n), 0.3)

    def loss(self, x):
        return np.sum(np.tanh(x * self.b))


class Plain(Flat):
    def __init__(self, n: int, flat=True):
        self.b = np.full(n, 0.3)
        if not flat:
            self.b = 0.3


class Column(Flat):
    def __init__(self, n: int, flat=True, b=None):
        self.b = b
        if flat:
            self.b = np.full(n, 0.3)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("cls", [Flat, Plain, Column])
def test_what_arms_of_init_assign_may_be_either(cls, flat):
    space = {}
    exec(gradgen.emit(f"{__name__}:{cls.__name__}.loss", wrt="self.b"), space)
    made = cls(3, flat) if cls is not Column else Column(3, flat, np.ones((2, 1)))
    other = cls(3)

    def at(b):
        other.b = b
        return other.loss(X)

    want = numeric_gradient(at, (np.asarray(made.b),), 0).value
    found = space["grad_loss"](made, X)
    assert np.shape(found) == np.shape(made.b)
    np.testing.assert_allclose(found, want, rtol=2e-6)

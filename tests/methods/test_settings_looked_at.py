"""A text of a method raises where its instance has another setting than it was made for."""

import copy
import enum

import numpy as np
import pytest

import gradgen

X = np.array([0.3, 0.5, 0.7])


class Family(enum.Enum):
    NORMAL = 1
    POISSON = 2


class Tanh:
    def of(self, x):
        return np.tanh(x)


class Sine:
    def of(self, x):
        return np.sin(x)


class Inner:
    mode = "sum"

    def __init__(self):
        self.powers = {"x": 2}


def cubed(x):
    return x**3


def squared(x):
    return x**2


class Model:
    order = 2

    def __init__(self):
        self.name, self.family, self.flag = "a", Family.NORMAL, True
        self.none, self.names, self.weights = None, ("a", "b"), [1, 2]
        self.part, self.act, self.own = slice(0, 2), np.tanh, cubed
        self.layer, self.layers, self.inner = Tanh(), [Tanh(), Sine()], Inner()
        self.axis, self.steps, self.calls = 0, 3, 0
        self.step, self.table = self.text, {"a": 1.0, "b": 2.0}

    def text(self, x):
        return np.sum(x**2) if self.name == "a" else np.sum(np.exp(x))

    def member(self, x):
        return np.sum(x**2) if self.family is Family.NORMAL else np.sum(np.exp(x))

    def flagged(self, x):
        return np.sum(x**2) if self.flag else np.sum(np.exp(x))

    def optional(self, x):
        return np.sum(x**2) if self.none is None else np.sum(x) * self.none

    def named(self, x):
        return np.sum(x**2) if "b" in self.names else np.sum(np.exp(x))

    def counted(self, x):
        return np.sum(x**2) if len(self.names) == 2 else np.sum(np.exp(x))

    def weighted(self, x):
        return sum(w * np.sum(x**w) for w in self.weights)

    def sliced(self, x):
        return np.sum(x[self.part] ** 2)

    def called(self, x):
        return np.sum(self.act(x))

    def called_own(self, x):
        return np.sum(self.own(x))

    def through(self, x):
        return np.sum(self.layer.of(x))

    def through_all(self, x):
        for layer in self.layers:
            x = layer.of(x)
        return np.sum(x)

    def asked(self, x):
        return np.sum(x**2) if isinstance(self.layer, Tanh) else np.sum(x)

    def of_class(self, x):
        return np.sum(x**self.order)

    def entry(self, x):
        return np.sum(x ** self.inner.powers["x"])

    def of_inner_class(self, x):
        return np.sum(x**2) if self.inner.mode == "sum" else np.sum(np.exp(x))

    def along(self, x):
        return np.sum(np.sum(x * x, axis=self.axis) ** 2)

    def held(self, x):
        return self.step(x)

    def tabled(self, x):
        return sum(np.sum(value * x) for value in self.table.values())

    def rounds(self, x):
        self.calls += 1
        for _ in range(self.steps):
            x = x - 0.1 * x**2
        return np.sum(x) * 0.5**self.calls


def inner(**fields):
    made = Inner()
    vars(made).update(fields)
    return made


CHANGES = [
    ("text", {"name": "b"}),
    ("text", {"name": None}),
    ("member", {"family": Family.POISSON}),
    ("flagged", {"flag": False}),
    ("optional", {"none": 2.0}),
    ("named", {"names": ("a", "c")}),
    ("counted", {"names": ("a",)}),
    ("weighted", {"weights": [1, 3]}),
    ("weighted", {"weights": [1, 2, 3]}),
    ("sliced", {"part": slice(0, 3)}),
    ("called", {"act": np.sin}),
    ("called_own", {"own": squared}),
    ("through", {"layer": Sine()}),
    ("through_all", {"layers": [Sine(), Sine()]}),
    ("through_all", {"layers": [Tanh(), Sine(), Sine()]}),
    ("asked", {"layer": Sine()}),
    ("of_class", {"order": 3}),
    ("entry", {"inner": inner(powers={"x": 3})}),
    ("of_inner_class", {"inner": inner(mode="mean")}),
    ("along", {"axis": -1}),
    ("held", {"step": Model().flagged}),
    ("tabled", {"table": {"a": 1.0, "b": 2.0, "c": 3.0}}),
]


def gradient_of(text, name):
    names = {}
    exec(text, names)
    return names[f"grad_{name}"]


def measured(model, name, x):
    steps = 1e-30j * np.eye(len(x))
    values = [getattr(copy.copy(model), name)(x + step) for step in steps]
    return np.imag(values) / 1e-30


@pytest.mark.parametrize("name, change", CHANGES)
def test_another_setting_raises(name, change):
    model = Model()
    gradient = gradient_of(gradgen.emit(getattr(model, name)), name)
    np.testing.assert_allclose(gradient(model, X), measured(model, name, X), rtol=1e-12)
    vars(model).update(change)
    with pytest.raises((ValueError, AttributeError), match="taken for|other|attribute"):
        gradient(model, X)


@pytest.mark.parametrize("change", [{"steps": 5}, {"calls": 2}, {"steps": 0}])
def test_a_whole_number_that_the_text_reads_may_be_another(change):
    model = Model()
    gradient = gradient_of(gradgen.emit(model.rounds), "rounds")
    vars(model).update(change)
    expected = measured(model, "rounds", X)
    np.testing.assert_allclose(gradient(model, X), expected, rtol=1e-12)


def test_a_text_of_the_class_looks_at_strings():
    text = gradgen.emit(f"{__name__}:Model.text", wrt="x")
    model = Model()
    np.testing.assert_allclose(gradient_of(text, "text")(model, X), 2 * X)
    model.name = "b"
    with pytest.raises(ValueError, match="self.name is taken for 'a'"):
        gradient_of(text, "text")(model, X)


def test_a_dtype_that_an_instance_holds_is_written():
    text = gradgen.emit(Typed().made, wrt="x")
    assert "np.float64" in text
    np.testing.assert_allclose(gradient_of(text, "made")(Typed(), X), 2 * X)


class Typed:
    def __init__(self):
        self.dtype = np.float64

    def made(self, x):
        out = np.zeros(3, dtype=self.dtype)
        out[:] = x
        return np.sum(out**2)

"""Classes with a __new__ or a __getattr__: what an instance has is what it has."""

import importlib

import numpy as np
import pytest

import gradgen
from gradgen.runtime.environment import Environment
from gradgen import GradgenError
from tests.frontend.measured import X, is_right


class Single:
    made = None

    def __new__(cls):
        if cls.made is None:
            cls.made = super().__new__(cls)
        return cls.made

    def __init__(self):
        self.rate = 2.0

    def loss(self, x):
        return np.sum(x**2) * self.rate


class Sized:
    made = {}

    def __new__(cls, n):
        return cls.made.setdefault(n, object.__new__(cls))

    def __init__(self, n):
        self.n = n

    def loss(self, x):
        return np.sum(x**2) / self.n


class Holder:
    def __init__(self):
        self.inner = Single()

    def loss(self, x):
        return self.inner.loss(x) ** 2


class Options:
    def __init__(self, **given):
        self.given = given
        self.rate = 0.5

    def __getattr__(self, name):
        try:
            return self.__dict__["given"][name]
        except KeyError:
            raise AttributeError(name) from None

    def known(self, x):
        return np.sum(x**2) * self.rate

    def asked(self, x):
        return np.sum(x**2) * self.scale

    def perhaps(self, x):
        return np.sum(x**2) * (self.scale if hasattr(self, "scale") else 1.0)

    def otherwise(self, x):
        return np.sum(x**2) * getattr(self, "scale", 1.0)


class Stand:
    """A module by another name."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        return getattr(importlib.import_module(self.__dict__["name"]), name)


xp = Stand("numpy")
single = Single()


def by_a_stand_in(x):
    return xp.sum(xp.sin(x) * xp.pi + xp.linalg.norm(x))


def by_new_axes(x):
    table = x[:, xp.newaxis] * x[xp.newaxis] + xp.e
    return xp.sum(table**2)


def around(x):
    return single.loss(x)


@pytest.mark.parametrize(
    "function",
    [
        *(Single().loss, Sized(3).loss, Holder().loss, Options(scale=3.0).known),
        *(by_a_stand_in, by_new_axes, around),
    ],
    ids=lambda one: one.__qualname__,
)
def test_what_an_instance_has(function):
    is_right(function, X)
    space = {}
    name = getattr(function, "__func__", function).__name__
    exec(gradgen.emit(function), space)
    own = [function.__self__] if hasattr(function, "__self__") else []
    np.testing.assert_allclose(
        space[f"grad_{name}"](*own, X), gradgen.grad(function)(X)
    )


settings = Options(scale=3.0)


def by_a_setting(x):
    return np.sum(x**2) * settings.scale  # another at the next call, perhaps


def makes_one(x):
    return Single().loss(x)


@pytest.mark.parametrize(
    "function",
    [
        *(Options(scale=3.0).asked, Options(scale=3.0).perhaps),
        *(Options(scale=3.0).otherwise, makes_one, by_a_setting),
    ],
    ids=lambda one: one.__qualname__,
)
def test_what_its_class_answers_by_itself_is_refused(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(X)
    assert caught.value.code == "GG270"


def test_the_state_of_the_interpreter_is_not_watched():
    """importlib reads what has been imported: finders, and all that they hold."""
    watched = Environment(by_a_stand_in)
    assert len(watched.names) < 30
    assert not any(name == "modules" for _, name, _ in watched.names)

"""Registries around a function, dictionaries with methods; fields by their names."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 0.7])


class Sums:
    rate = 2.0

    def total(self, x):
        return np.sum(x) * self.rate


class Means(Sums):
    def total(self, x):
        return np.mean(x) * 3


class Registry(dict):
    def __init__(self):
        self["sums"] = Sums()
        self["means"] = Means()
        self._active = "sums"

    def __getitem__(self, key):
        try:
            return super().__getitem__(key)
        except KeyError:
            self[key] = Means()
            return super().__getitem__(key)

    @property
    def active(self):
        return self[self._active]


class Rates(dict):
    unit = 0.5

    def of(self, name):
        return self[name] * self.unit


REGISTRY = Registry()
RATES = Rates(slow=0.1, fast=0.5)


def active(x):
    return REGISTRY.active.total(x * x)


def by_name(x, how="means"):
    return REGISTRY[how].total(x * x)


def own_method(x):
    return np.sum(x * x) * RATES["slow"] + np.sum(x) * RATES.of("fast")


def pairs(x):
    total = 0.0
    for _, rate in RATES.items():
        total = total + rate * np.sum(x**2)
    return total * len(RATES) * sum(RATES.values())


def keys(x):
    total = 0.0
    for name in RATES:
        total = total + RATES[name] * np.sum(x**2)
    return total


def asked(x):
    rate = RATES.get("none", 0.3) * (2 if "slow" in RATES else 1)
    return np.sum(x * x) * rate * (1 if RATES else 4)


def agrees(f, gradient):
    want = numeric_gradient(f, (X,), 0).value
    return np.allclose(gradient(X), want, rtol=1e-6)


@pytest.mark.parametrize("f", [active, by_name, own_method, pairs, keys, asked])
def test_entries_and_methods(f):
    assert agrees(f, gradgen.grad(f))
    space = {}
    exec(gradgen.emit(f), space)
    assert agrees(f, space[f"grad_{f.__name__}"])


def test_they_may_change_between_calls(monkeypatch):
    g, h = gradgen.grad(active), gradgen.grad(own_method)
    assert agrees(active, g) and agrees(own_method, h)
    monkeypatch.setitem(RATES, "slow", 5.0)
    assert agrees(own_method, h)
    monkeypatch.setattr(REGISTRY, "_active", "means")
    assert agrees(active, g)
    monkeypatch.setitem(REGISTRY, "means", Sums())
    assert agrees(active, g)
    monkeypatch.setattr(dict.__getitem__(REGISTRY, "means"), "rate", 7.0)
    assert agrees(active, g)


def changed(x):
    RATES["slow"] = 3.0
    return np.sum(x) * RATES["slow"]


def made(x):
    return np.sum(x) * Rates(slow=2.0)["slow"]


def absent(x):
    return REGISTRY["other"].total(x)


@pytest.mark.parametrize("f", [changed, made, absent])
def test_what_is_not_known_is_refused(f):
    with pytest.raises(GradgenError):
        gradgen.emit(f)


class Option:
    def __init__(self, spot, strike):
        for name in ("call", "put"):
            self.__dict__[name] = None
        vars(self)["spot"] = spot
        self.ratio = spot / strike
        self.call = np.log(self.ratio) * self.__dict__["spot"]

    def value(self, name):
        return self.__dict__[name] * vars(self)["ratio"]


def call(spot, strike):
    return Option(spot, strike).value("call")


def unset(spot):
    option = Option(spot, 2.0)
    return spot * (1.0 if option.put is None else 2.0)


@pytest.mark.parametrize("f, args", [(call, (52.0, 50.0)), (unset, (3.0,))])
def test_fields_by_their_names(f, args):
    want = numeric_gradient(f, args, 0).value
    assert np.allclose(gradgen.grad(f)(*args), want, rtol=1e-6)
    space = {}
    exec(gradgen.emit(f), space)
    assert np.allclose(space[f"grad_{f.__name__}"](*args), want, rtol=1e-6)

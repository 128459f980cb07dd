"""copy.copy and copy.deepcopy of instances: their fields, or copies of these."""

import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.5, 0.3, 0.9])


@dataclass
class Record:
    a: np.ndarray
    b: float = 2.0


@dataclass(frozen=True)
class Frozen:
    a: np.ndarray
    b: float = 2.0


class Pair(NamedTuple):
    a: np.ndarray
    b: float


class Part:
    def __init__(self, w):
        self.w = w


class Model:
    def __init__(self, k=2.0, kind="sum"):
        self.k, self.kind, self.W, self.part = k, kind, np.eye(3) + 0.1, Part(1.5)
        self.own = self.value

    def value(self, x):
        found = np.sum(self.W @ x) if self.kind == "sum" else np.mean(x**2)
        return found * self.k * self.part.w

    def shallow(self, x):
        other = copy.copy(self)
        other.k = x[0] ** 2
        return other.value(x) + self.value(x)

    def deep(self, x):
        other = copy.deepcopy(self)
        other.part.w = 3 * x[0]
        other.W[0, 0] = x[1]
        return other.value(x) * self.value(x)

    def bound(self, x):
        return copy.copy(self).own(x)

    def bound_deep(self, x):
        other = copy.deepcopy(self)
        other.k = x[0]
        return other.own(x)


def stored(x):
    q = copy.copy(Record(x))
    q.b = x[1]
    return np.sum(q.a) * q.b


def shared(x):
    p = Record(x * 1.0)
    q = copy.copy(p)
    q.a[0] = x[1] ** 2
    return np.sum(p.a * q.a)


def apart(x):
    p = Record(x * 1.0)
    q = copy.deepcopy(p)
    q.a[0] = x[1] ** 2
    return np.sum(p.a * q.a)


def frozen(x):
    return np.sum(copy.copy(Frozen(x)).a ** 2) + copy.deepcopy(Frozen(x, x[0])).b ** 2


def pair(x):
    p = Pair(x * 1.0, x[0])
    q = copy.deepcopy(p)
    q.a[1] = x[2]
    return np.sum(p.a * q.a) * copy.copy(p).b


def ring(x):
    p = Part(x * 1.0)
    p.me = p
    q = copy.deepcopy(p)
    q.me.w = x**2
    return np.sum(q.w * p.w)


def of_argument(p, x):
    q = copy.copy(p)
    q.b = 1.5
    return np.sum(q.a * x) * q.b + p.b


def by_differences(function, x, step=1e-5):
    found = np.zeros_like(x)
    for i in range(len(x)):
        ends = []
        for h in (step, -step, 2 * step, -2 * step):
            moved = x.copy()
            moved[i] += h
            ends.append(function(moved))
        near, wide = (ends[0] - ends[1]) / 2, (ends[2] - ends[3]) / 4
        found[i] = (4 * near - wide) / (3 * step)
    return found


FUNCTIONS = [stored, shared, apart, frozen, pair, ring]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_copies_of_what_a_function_makes(function):
    want = by_differences(function, X)
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-8)


@pytest.mark.parametrize("name", ["shallow", "deep", "bound"])
def test_copies_of_the_instance(name):
    model = Model()
    want = by_differences(getattr(Model(), name), X)
    np.testing.assert_allclose(gradgen.grad(getattr(model, name))(X), want, rtol=1e-8)
    assert (model.k, model.part.w, model.W[0, 0]) == (2.0, 1.5, 1.1)
    space = {}
    exec(gradgen.emit(getattr(model, name)), space)
    made = space[f"grad_{name}"]
    np.testing.assert_allclose(made(model, X), want, rtol=1e-8)
    with pytest.raises(ValueError, match="taken for|other settings"):
        made(Model(kind="mean"), X)


def test_a_record_that_is_an_argument():
    record = Record(X + 1, 4.0)
    want = by_differences(lambda x: of_argument(record, x), X)
    found = gradgen.grad(of_argument, wrt="x")(record, X)
    np.testing.assert_allclose(found, want, rtol=1e-8)
    assert record.b == 4.0


class OwnWay(Part):
    def __copy__(self):
        return OwnWay(self.w * 2)


def own_way(x):
    return np.sum(copy.copy(OwnWay(x)).w)


@pytest.mark.parametrize("function", [own_way, Model().bound_deep])
def test_other_copies_are_refused(function):
    with pytest.raises(GradgenError, match="GG205"):
        gradgen.grad(function)(X)

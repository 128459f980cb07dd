"""Arguments that hold themselves: objects are read, containers are refused."""

import dataclasses
import types
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


@dataclasses.dataclass
class Node:
    w: float
    parent: object = None
    kids: list = dataclasses.field(default_factory=list)
    v: object = None

    def loss(self, x):
        return np.sum(self.w * x**2)


class Plain:
    def __init__(self, w):
        self.w, self.own, self.v = w, self, np.ones(3)


class Pair(NamedTuple):
    w: Any
    more: Any


def attribute(m, x):
    return m.w * np.sum(x**2)


def entry(m, x):
    return m[0] * np.sum(x**2)


def key(m, x):
    return m["w"] * np.sum(x**2)


def through_itself(m, x):
    return m.w * np.sum(m.own.w * x)


def tree():
    root = Node(1.5)
    root.kids.append(Node(2.0, root))
    return root


def node():
    one = Node(1.5)
    one.v = one
    return one


def namespace():
    one = types.SimpleNamespace(w=1.5)
    one.own = one
    return one


def a_list():
    one = [1.5, 2.0]
    one.append(one)
    return one


def a_list_below():
    one = [1.5, [2.0]]
    one[1].append(one)
    return one


def a_dictionary():
    one = {"w": 1.5}
    one["own"] = [one]
    return one


def a_pair():
    rest = []
    one = Pair(1.5, rest)
    rest.append(one)
    return one


X = np.array([1.0, 2.0, 3.0])
OBJECTS = [tree, node, namespace, lambda: Plain(1.5)]
CONTAINERS = [(a_list, entry), (a_list_below, entry), (a_dictionary, key)]
CONTAINERS += [(a_pair, attribute)]


@pytest.mark.parametrize("make", OBJECTS)
def test_objects_that_know_themselves(make):
    np.testing.assert_allclose(gradgen.grad(attribute, wrt="x")(make(), X), 3.0 * X)
    found = gradgen.grad(attribute, wrt=("m", "x"))(make(), X)
    assert found[0].w == np.sum(X**2)
    np.testing.assert_allclose(found[1], 3.0 * X)
    value, found = gradgen.value_and_grad(attribute, wrt="m")(make(), X)
    assert (value, found.w) == (1.5 * np.sum(X**2), np.sum(X**2))


def test_a_method_of_one():
    np.testing.assert_allclose(gradgen.grad(tree().loss, wrt="x")(X), 3.0 * X)


def test_what_is_read_through_itself():
    """m.w and m.own.w are one number, and have one gradient."""
    assert gradgen.grad(through_itself, wrt="m")(Plain(1.5), X).w == 18.0
    found = gradgen.grad(through_itself, wrt="x")(Plain(1.5), X)
    np.testing.assert_allclose(found, np.full(3, 1.5**2))


@pytest.mark.parametrize("make, function", CONTAINERS)
@pytest.mark.parametrize("wrt", ["x", "m", ("m", "x")])
def test_containers_that_hold_themselves(make, function, wrt):
    for call in (
        lambda m: gradgen.grad(function, wrt=wrt)(m, X),
        lambda m: gradgen.grad(function, wrt=wrt)(m=m, x=X),
        lambda m: gradgen.value_and_grad(function, wrt=wrt)(m, X),
        lambda m: gradgen.grad(function, wrt=wrt).specialize(m, X),
        lambda m: gradgen.jacobian(function, wrt=wrt)(m, X),
        lambda m: gradgen.emit(function, wrt=wrt, example=(m, X)),
        lambda m: gradgen.vjp(function, wrt=wrt)(m, X),
    ):
        with pytest.raises(GradgenError, match="m holds itself"):
            call(make())


def test_parts_that_are_there_twice_are_no_cycle():
    row = [1.0, 2.0]
    found = gradgen.grad(lambda m: m[0][0] * m[1][1])([row, row])
    assert np.asarray(found).tolist() == [[2.0, 0.0], [0.0, 1.0]]

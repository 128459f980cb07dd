"""The gradient in a container has the type and the dtype of each of its parts."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradgen


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass
class Record:
    a: Any
    b: Any


@dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any


class Plain:
    def __init__(self, a, b):
        self.a, self.b = a, b


def of_fields(p):
    return np.sum(p.a * p.a) * np.sum(p.b)


def of_keys(p):
    return np.sum(p["a"] * p["a"]) * np.sum(p["b"])


def of_items(p):
    return np.sum(p[0] * p[0]) * np.sum(p[1])


def of_nested(p):
    return np.sum(p["s"][0]["a"] ** 2) * np.sum(p["s"][1])


# how a container of two is made, what reads it, and how its parts are found again
CONTAINERS = {
    "dict": (lambda a, b: {"a": a, "b": b}, of_keys, lambda g: (g["a"], g["b"])),
    "list": (lambda a, b: [a, b], of_items, tuple),
    "tuple": (lambda a, b: (a, b), of_items, tuple),
    "namedtuple": (Pair, of_fields, tuple),
    "dataclass": (Record, of_fields, lambda g: (g.a, g.b)),
    "frozen": (Frozen, of_fields, lambda g: (g.a, g.b)),
    "instance": (Plain, of_fields, lambda g: (g.a, g.b)),
    "namespace": (
        lambda a, b: SimpleNamespace(a=a, b=b),
        of_fields,
        lambda g: (g.a, g.b),
    ),
    "nested": (
        lambda a, b: {"s": [{"a": a}, b]},
        of_nested,
        lambda g: (g["s"][0]["a"], g["s"][1]),
    ),
}
A = {
    "float64": np.array([0.5, -2.0]),
    "float32": np.array([0.5, -2.0], np.float32),
    "big-endian": np.array([0.5, -2.0], ">f8"),
}
B = {
    "float": 3.0,
    "float64": np.float64(3.0),
    "float32": np.float32(3.0),
    "array": np.array([1.0, 2.0]),
    "array of float32": np.array([1.0, 2.0], np.float32),
}


def with_value(function, argument):
    return gradgen.value_and_grad(function)(argument)[1]


def pulled(function, argument):
    return gradgen.vjp(function)(argument)[1](1.0)


def gradient(function, argument):
    return gradgen.grad(function)(argument)


@pytest.mark.parametrize("way", (gradient, with_value, pulled))
@pytest.mark.parametrize("container", CONTAINERS)
def test_each_part_has_its_argument_s_type_and_dtype(container, way):
    made, function, parts = CONTAINERS[container]
    for a in A.values():
        for b in B.values():
            argument = made(a, b)
            found = way(function, argument)
            if container not in ("instance", "namespace"):
                assert type(found) is type(argument)
            first, second = parts(found)
            for part, of in ((first, a), (second, b)):
                assert type(part) is type(of)
                assert getattr(part, "dtype", None) == getattr(of, "dtype", None)
            # the gradient of sum(a * a) * sum(b), written by hand
            np.testing.assert_allclose(first, 2 * a * np.sum(b), rtol=1e-6)
            np.testing.assert_allclose(second, np.sum(a * a) + 0 * b, rtol=1e-6)

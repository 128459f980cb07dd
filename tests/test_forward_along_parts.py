"""Forward mode along parts of instances and containers: the tangent of each part."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradgen

STEP = 1e-30
X = np.array([0.3, 0.5])
V = np.array([[1.0, -2.0], [0.5, 3.0]])


class Layer:
    def __init__(self, w):
        self.w = w


class Net:
    def __init__(self, W=None, w=0.5, g=1.0):
        self.W = np.eye(2) + 0.3 if W is None else W
        self.layers = [Layer(1.5), Layer(w)]
        self.params = {"g": g * np.ones(2)}
        self.steps = 3

    def loss(self, x):
        inner = self.W @ x * self.layers[1].w + self.params["g"]
        return np.sum(np.tanh(inner)) * self.steps


@dataclass
class Record:
    a: np.ndarray
    b: float


class Pair(NamedTuple):
    a: np.ndarray
    b: float


def of_net(net, x):
    return net.loss(x) ** 2


def of_record(p, x):
    return np.sum(np.sin(p.a * x)) * p.b


def of_list(layers, x):
    for w, b in layers:
        x = np.tanh(x * w + b)
    return np.sum(x)


def of_key(options, x):
    return np.sum(x**2) * options["k"]


LAYERS = [(np.array([1.0, 2.0]), 0.5), (np.array([0.1, 0.2]), 0.25)]
NET, H = Net(), 1j * STEP
# what is derived, what it is along, the arguments, the tangents, and the moved value
CASES = {
    "an attribute": (NET.loss, "self.W", (X,), (V,), Net(NET.W + H * V).loss(X)),
    "a list": (NET.loss, "self.layers[1].w", (X,), (2.0,), Net(w=0.5 + 2 * H).loss(X)),
    "a key": (NET.loss, "self.params['g']", (X,), (X,), Net(g=1 + H * X).loss(X)),
    "several": (
        NET.loss,
        ("x", "self.W", "self.layers[1].w"),
        (X,),
        (X, V, 2.0),
        Net(NET.W + H * V, 0.5 + 2 * H).loss(X + H * X),
    ),
    "unbound": (Net.loss, "self.W", (NET, X), (V,), Net(NET.W + H * V).loss(X)),
    "a function": (of_net, "net.W", (NET, X), (V,), of_net(Net(NET.W + H * V), X)),
    "a record": (
        of_record,
        ("p.a", "p.b"),
        (Record(X, 3.0), X),
        (X, 1.0),
        of_record(Record(X + H * X, 3.0 + H), X),
    ),
    "a field": (
        of_record,
        "p.a",
        (Pair(X, 3.0), X),
        (X,),
        of_record(Pair(X + H * X, 3.0), X),
    ),
    "a place": (
        of_list,
        "layers[0][0]",
        (LAYERS, X),
        (X,),
        of_list([(LAYERS[0][0] + H * X, 0.5), LAYERS[1]], X),
    ),
    "one word": (of_key, "options['k']", ({"k": 3.0}, X), (1.0,), H * np.sum(X**2)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_jvp_along_a_part(case):
    function, wrt, args, tangents, moved = case
    value, along = gradgen.jvp(function, wrt)(*args, *tangents)
    np.testing.assert_allclose(along, np.imag(moved) / STEP, rtol=1e-12)
    np.testing.assert_allclose(value, function(*args), rtol=1e-15)


@pytest.mark.parametrize("options", [{}, {"general": True}], ids=str)
def test_a_text_takes_a_container_of_tangents(options):
    space = {}
    exec(gradgen.emit(Net.loss, "self.W", mode="forward", **options), space)
    along = space["jvp_loss"](NET, X, Net(V))[1]
    want = np.imag(Net(NET.W + H * V).loss(X)) / STEP
    np.testing.assert_allclose(along, want, rtol=1e-12)
    told = {"shapes": {"options": {"k": ""}}}
    exec(gradgen.emit(of_key, "options['k']", mode="forward", **options | told), space)
    assert space["jvp_of_key"]({"k": 3.0}, X, {"k": 2.0})[1] == 2 * np.sum(X**2)


@pytest.mark.parametrize("tangent", [np.ones(3), None, 1.0], ids=str)
def test_tangents_of_other_shapes_are_refused(tangent):
    with pytest.raises(gradgen.GradgenError, match="GG509"):
        gradgen.jvp(NET.loss, "self.W")(X, tangent)
    with pytest.raises(gradgen.GradgenError, match="GG509"):
        gradgen.jvp(of_list, "layers[0][0]")(LAYERS, X, tangent)

"""Gradients in dataclasses that do something with what they are made of.

A class that divides weights by their sum would do so with a gradient in them.
"""

import copy
import types
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

W, K, X = np.array([1.0, 2.0, 3.0]), 1.5, np.array([1.0, 2.0, 5.0])


@dataclass
class Normalised:
    w: np.ndarray
    k: float = 1.0

    def __post_init__(self):
        self.w = self.w / np.sum(self.w)


@dataclass
class Checked:
    w: np.ndarray
    k: float

    def __post_init__(self):
        if self.k <= 0:
            raise ValueError("k is not positive")


@dataclass
class WithTotal:
    w: np.ndarray
    k: float

    def __post_init__(self):
        self.total = np.sum(self.w)


@dataclass
class Counted:
    w: np.ndarray
    k: float
    n: int = field(init=False, default=3)


@dataclass
class Doubled:
    w: np.ndarray
    k: float

    def __init__(self, w, k):
        self.w, self.k = 2 * w, 2 * k


@dataclass
class FewerGiven:
    w: np.ndarray
    k: float = 1.0

    def __init__(self, w):
        self.w, self.k = w, K


@dataclass
class Stored:
    w: np.ndarray
    k: float

    def __setattr__(self, name, value):
        object.__setattr__(self, name, 3 * value)


@dataclass(slots=True)
class Slots:
    w: np.ndarray
    k: float


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    w: np.ndarray
    k: float


@dataclass(frozen=True)
class FrozenNormalised:
    w: np.ndarray
    k: float

    def __post_init__(self):
        object.__setattr__(self, "w", self.w / np.sum(self.w))


RECORDS = [
    Normalised(W, K),
    Checked(W, K),
    WithTotal(W, K),
    Counted(W, K),
    Doubled(W, K),
    FewerGiven(W),
    Stored(W, K),
    Slots(W, K),
    FrozenSlots(W, K),
    FrozenNormalised(W, K),
]
NAMED = [pytest.param(one, id=type(one).__name__) for one in RECORDS]


def of_one_field(q, x):
    return np.sum(q.w**2 * x)


def of_two_fields(q, x):
    return np.sum(np.sin(q.w) * x) * q.k**2


def annotated(function, cls):
    """The function with an annotation of its first argument."""
    made = types.FunctionType(function.__code__, {**globals(), "Record": cls})
    made.__annotations__ = {"q": cls}
    made.__name__ = function.__name__
    return made


def moved(q, **fields):
    """The record with other fields, of which its class knows nothing."""
    made = copy.copy(q)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def differences(function, q):
    """The gradient in both fields, by central differences."""
    h = 1e-6
    d_w = np.array(
        [
            function(moved(q, w=q.w + e), X) - function(moved(q, w=q.w - e), X)
            for e in h * np.eye(3)
        ]
    )
    d_k = function(moved(q, k=q.k + h), X) - function(moved(q, k=q.k - h), X)
    return d_w / (2 * h), d_k / (2 * h)


def is_like(found, wanted):
    np.testing.assert_allclose(found.w, wanted[0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(found.k, wanted[1], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("q", NAMED)
@pytest.mark.parametrize("function", [of_one_field, of_two_fields])
@pytest.mark.parametrize("is_told", [True, False])
def test_the_gradient_stays_as_it_is(q, function, is_told):
    called = annotated(function, type(q)) if is_told else function
    wanted = differences(function, q)
    before = copy.deepcopy(q)
    for found in (
        gradgen.grad(called)(q, X),
        gradgen.value_and_grad(called)(q, X)[1],
        gradgen.vjp(called)(q, X)[1](),
    ):
        assert type(found) is type(q)
        is_like(found, wanted)
    np.testing.assert_array_equal(q.w, before.w)
    np.testing.assert_allclose(
        gradgen.jvp(called)(q, X, q)[1], q.w @ wanted[0] + q.k * wanted[1], rtol=1e-6
    )


@pytest.mark.parametrize("q", NAMED)
@pytest.mark.parametrize("is_told", [True, False])
def test_a_tangent_stays_as_it_is(q, is_told):
    called = annotated(of_two_fields, type(q)) if is_told else of_two_fields
    found = gradgen.hvp(called)(q, X, q)
    d_w = np.cos(q.w) * X * 2 * q.k * q.k - np.sin(q.w) * X * q.k**2 * q.w
    d_k = np.cos(q.w) @ (X * q.w) * 2 * q.k + 2 * np.sin(q.w) @ X * q.k
    is_like(found, (d_w, d_k))


@pytest.mark.parametrize("q", NAMED)
def test_the_text_holds_the_fields(q):
    also = ", n=':int'" if type(q) is Counted else ""
    fact = f"{type(q).__name__}(w='n', k=''{also})"
    text, space = gradgen.emit(of_two_fields, shapes={"q": fact, "x": "n"}), {}
    exec(text, space)
    is_like(space["grad_of_two_fields"](q, X), differences(of_two_fields, q))
    is_plain = type(q) in (Slots, FrozenSlots)
    assert ("dataclasses.replace(q, w=d_w, k=d_k)" in text) is is_plain
    assert ("types.SimpleNamespace(" in text) is not is_plain


@pytest.mark.parametrize("q", NAMED)
def test_the_other_argument(q):
    d_x = gradgen.grad(of_two_fields, wrt="x")(q, X)
    np.testing.assert_allclose(d_x, np.sin(q.w) * q.k**2, rtol=1e-12)


@dataclass
class Scaled:
    gain: float
    bias: float

    def __init__(self, gain, bias):
        self.gain, self.bias = 2 * gain, bias


def replaced(x):
    return replace(Scaled(x, 1.0), bias=2.0).gain ** 2


def test_replacing_runs_an_init_of_the_class():
    """Its 2 * gain is done twice, which no text of the fields says."""
    with pytest.raises(GradgenError, match="GG246 Scaled has its own __init__"):
        gradgen.grad(replaced)(3.0)


@dataclass(slots=True)
class Model:
    w: np.ndarray
    k: float = 2.0
    seen: list = field(default_factory=list)

    def scaled(self, x):
        self.seen.append(x)
        return np.sum(self.w * x) * self.k

    def overwritten(self, x):
        self.w[0] = 3.0
        return np.sum(self.w * x)


def test_methods_of_records_with_slots():
    model = Model(W.copy())
    np.testing.assert_allclose(gradgen.grad(model.scaled)(X), 2 * W)
    np.testing.assert_allclose(gradgen.grad(Model.scaled, wrt="x")(model, X), 2 * W)
    np.testing.assert_allclose(gradgen.grad(model.overwritten)(X), [3.0, 2.0, 3.0])
    np.testing.assert_array_equal(model.w, W)
    assert model.seen == []


class Plain:
    """Its attributes are set around it."""


class Kept(Plain):
    step = 0.5


def advanced(state, a):
    state.x = state.x + state.v * a
    return state


def advanced_by_half(state, a):
    if a > 0:
        state.x = state.x + state.v * a
    else:
        state.x = state.x - a
    return state


def advanced_twice(state, a):
    state.v = state.v + a
    state.x = state.x + state.v * a
    return 2.0, state


def made_plain(x):
    state = Plain()
    state.x = x * 2
    return state


@pytest.mark.parametrize("f", [advanced, advanced_by_half, advanced_twice])
def test_an_object_of_which_nothing_is_told_is_no_result(f):
    for wrt in ("state.v", "a"):
        with pytest.raises(GradgenError, match="GG"):
            gradgen.emit(f, wrt=wrt)


def test_a_class_without_fields_of_its_own_is_no_result():
    with pytest.raises(GradgenError, match="GG246 Plain is no dataclass"):
        gradgen.grad(made_plain)(1.0)
    for cls in (Plain, Kept):
        state = cls()
        state.x, state.v = 1.0, 2.0
        with pytest.raises(GradgenError, match="GG246"):
            gradgen.grad(advanced, wrt="state.v")(state, 0.5)

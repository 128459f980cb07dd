"""Objects with attributes as arguments, and gradients in their form."""

import copy
import dataclasses
import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

x = np.array([0.4, 1.1, 1.7])
W = np.array([0.3, 0.6, 1.2])


class Plain:
    def __init__(self, w, k, inner=None):
        self.w, self.k, self.inner, self.mode, self.n = w, k, inner, "sum", 2

    def scaled(self, y):
        return self.k * self.w * y


class Slots:
    __slots__ = ("w", "k", "inner", "mode", "n")

    def __init__(self, w, k, inner=None):
        self.w, self.k, self.inner, self.mode, self.n = w, k, inner, "sum", 2

    def scaled(self, y):
        return self.k * self.w * y


@dataclasses.dataclass
class Record:
    w: object
    k: float
    inner: object = None
    mode: str = "sum"
    n: int = 2

    def scaled(self, y):
        return self.k * self.w * y


def space(w, k, inner=None):
    return types.SimpleNamespace(w=w, k=k, inner=inner, mode="sum", n=2)


CLASSES = {"plain": Plain, "slots": Slots, "record": Record, "space": space}


def simple(c, y):
    return np.sum(c.w * y**c.n) * c.k if c.mode == "sum" else np.sum(y)


def nested(y, c):
    return np.sum(np.sin(c.w * c.inner.w * y)) * c.inner.k


def listed(y, cs):
    total = 0.0
    for c in cs:
        total = total + c.k * np.sum(c.w * y)
    return total**2


def named(y, d):
    return np.sum(d["a"].w * y) * d["b"] * d["a"].k


def made_of(cls):
    """The functions with arguments, the name of the object's, and where its parts are."""
    own = CLASSES[cls]
    one, other = own(W.copy(), 2.0), own(2 * W, 0.5)
    return {
        simple: ({"c": one, "y": x}, "c", "c"),
        nested: ({"y": x, "c": own(W + 1, 1.0, other)}, "c", "c.inner"),
        listed: ({"y": x, "cs": [one, other]}, "cs", "cs[1]"),
        named: ({"y": x, "d": {"a": one, "b": 3.0}}, "d", 'd["a"]'),
    }


def measured(function, given, place, key):
    def along(value):
        own = copy.deepcopy(given)
        setattr(eval(place, dict(own)), key, value)
        return function(**own)

    return numeric_gradient(along, [getattr(eval(place, dict(given)), key)], 0).value


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("function", [simple, nested, listed, named])
def test_a_part_several_parts_and_the_whole(cls, function):
    given, name, place = made_of(cls)[function]
    args = tuple(given.values())
    want = {key: measured(function, given, place, key) for key in "wk"}
    held = numeric_gradient(lambda y: function(**(given | {"y": y})), [x], 0).value
    for _ in range(2):
        np.testing.assert_allclose(gradgen.grad(function, "y")(*args), held, rtol=1e-7)
        one = gradgen.grad(function, f"{place}.w")(*args)
        np.testing.assert_allclose(one, want["w"], rtol=1e-7)
        both = gradgen.grad(function, (f"{place}.k", f"{place}.w"))(*args)
        np.testing.assert_allclose(both[0], want["k"], rtol=1e-7)
        np.testing.assert_allclose(both[1], want["w"], rtol=1e-7)
        value, whole = gradgen.value_and_grad(function, name)(*args)
        assert value == function(*args)
        found = eval(place, {name: whole})
        np.testing.assert_allclose(found.w, want["w"], rtol=1e-7)
        np.testing.assert_allclose(found.k, want["k"], rtol=1e-7)


def test_the_gradient_in_an_object_is_a_namespace():
    found = gradgen.grad(simple)(Plain(W, 2.0), x)
    assert type(found) is types.SimpleNamespace
    assert sorted(vars(found)) == ["k", "w"]
    assert type(gradgen.grad(simple)(Record(W, 2.0), x)) is Record


def test_what_is_not_read_has_the_gradient_zero():
    found = gradgen.grad(lambda c: np.sum(c.w**2))(Plain(W, 2.0, Plain(W, 1.0)))
    np.testing.assert_array_equal(found.w, 2 * W)
    assert found.k == 0.0
    np.testing.assert_array_equal(found.inner.w, 0 * W)


@pytest.mark.parametrize("cls", CLASSES)
def test_other_makers(cls):
    own = CLASSES[cls](W, 2.0)
    value, pullback = gradgen.vjp(simple, "c.w")(own, x)
    np.testing.assert_allclose(pullback(1.0), 2.0 * x**2)
    cubic = gradgen.hvp(lambda c: np.sum(c.w**3) * c.k, "c.w")
    np.testing.assert_allclose(cubic(own, x), 12.0 * W * x, rtol=1e-12)


@pytest.mark.parametrize("cls", ["plain", "slots", "record"])
def test_methods_of_the_argument(cls):
    own = CLASSES[cls](W, 2.0)
    found = gradgen.grad(lambda y, c: np.sum(c.scaled(y) ** 2))(x, own)
    np.testing.assert_allclose(found, 2 * (2.0 * W) ** 2 * x)


@pytest.mark.parametrize("cls", CLASSES)
def test_settings_and_numbers_may_change(cls):
    own = CLASSES[cls](W, 2.0)
    g = gradgen.grad(simple, "y")
    np.testing.assert_allclose(g(own, x), 4.0 * W * x)
    own.k, own.w = 3.0, W + 1
    np.testing.assert_allclose(g(own, x), 6.0 * (W + 1) * x)
    own.n = 3
    np.testing.assert_allclose(g(own, x), 9.0 * (W + 1) * x**2)
    own.mode = "other"
    np.testing.assert_allclose(g(own, x), np.ones(3))


def changed(c, y):
    c.w += y
    return np.sum(c.w * c.inner)


@pytest.mark.parametrize("cls", ["plain", "slots", "space", "record"])
def test_an_object_stays_as_it_was(cls):
    own = CLASSES[cls](W.copy(), 2.0, W.copy())
    np.testing.assert_allclose(gradgen.grad(changed, "y")(own, x), W)
    np.testing.assert_array_equal(own.w, W)


@pytest.mark.parametrize("share", [lambda w: w, lambda w: w[::-1], lambda w: w[:]])
@pytest.mark.parametrize("cls", ["plain", "space", "record"])
def test_attributes_that_share_memory_where_one_is_changed(cls, share):
    w = W.copy()
    own = CLASSES[cls](w, 2.0, share(w))
    with pytest.raises(gradgen.GradgenError, match="GG507.*share memory"):
        gradgen.grad(changed, "y")(own, x)


def test_entries_that_share_memory_where_one_is_changed():
    def stored(d, y):
        a = d["a"]
        a += y
        return np.sum(a * d["b"])

    w = W.copy()
    with pytest.raises(gradgen.GradgenError, match="GG507.*share memory"):
        gradgen.grad(stored, "y")({"a": w, "b": w}, x)
    np.testing.assert_allclose(gradgen.grad(stored, "y")({"a": w, "b": w.copy()}, x), W)

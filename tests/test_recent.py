"""What was emitted is asked for again only where it would be the same."""

import functools
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.runtime.cache import Recent, key_of
from tests.fuzz.program import imported

SCALE = 2.0
settings = types.ModuleType("settings")
settings.SCALE = 2.0


def scaled(x):
    return np.sum(SCALE * x * x)


def twice(x):
    return scaled(x) + scaled(x)


def by_module(x):
    return np.sum(settings.SCALE * x * x)


def test_a_constant_of_the_module_that_changes(monkeypatch):
    x = np.array([1.0, 3.0])
    for value in (2.0, 5.0, 2.0):
        monkeypatch.setattr(f"{__name__}.SCALE", value)
        assert np.array_equal(gradgen.grad(scaled)(x), 2 * value * x)
        assert np.array_equal(gradgen.grad(twice)(x), 4 * value * x)


class Pair(NamedTuple):
    a: float

    def scaled(self, x):
        return SCALE * np.sum(self.a * x * x)


PART = functools.partial(scaled)
MADE = gradgen.grad(scaled)


def by_part(x):
    return PART(x)


def by_method(x):
    return Pair(1.0).scaled(x)


def by_derivative(x):
    return np.sum(x * gradgen.grad(lambda t: scaled(t))(x)) / 2


@pytest.mark.parametrize("function", [by_part, by_method, by_derivative])
def test_a_constant_that_is_read_on_the_way(function, monkeypatch):
    x = np.array([1.0, 3.0])
    for value in (2.0, 5.0, 2.0):
        monkeypatch.setattr(f"{__name__}.SCALE", value)
        assert np.array_equal(gradgen.grad(function)(x), 2 * value * x)


def by_gradient_made_before(x):
    return np.sum(MADE(x) ** 2)


def test_a_gradient_that_was_made_before_with_other_constants(monkeypatch):
    x = np.array([1.0, 3.0])
    assert np.array_equal(gradgen.grad(by_gradient_made_before)(x), 32 * x)
    assert np.array_equal(MADE(x), 4 * x)
    monkeypatch.setattr(f"{__name__}.SCALE", 5.0)  # the text of MADE has 2.0
    with pytest.raises(gradgen.GradgenError, match="GG260 what scaled reads"):
        gradgen.grad(by_gradient_made_before)(x)


def test_a_module_whose_numbers_may_change_is_not_remembered():
    assert key_of(by_module) is None
    assert key_of(scaled) is not None


def test_arrays_around_a_function_are_arguments():
    def around(W):
        return lambda x: np.sum(W * x * x)

    one, other = around(np.array([1.0, 2.0])), around(np.array([5.0, 7.0]))
    assert key_of(one) == key_of(other)
    assert key_of(one) != key_of(around(np.ones(3)))
    x = np.array([1.0, 3.0])
    assert np.array_equal(gradgen.grad(one)(x), [2.0, 12.0])
    assert np.array_equal(gradgen.grad(other)(x), [10.0, 42.0])
    assert gradgen.grad(one).function is gradgen.grad(other).function


def test_numbers_around_a_function_are_part_of_it():
    made = [lambda x, k=k: np.sum(k * x) for k in (2.0, 3.0)]
    x = np.ones(2)
    assert [gradgen.grad(f)(x)[0] for f in made] == [2.0, 3.0]


FORMS = {
    "a module's number": ("K = {a}\ndef f(x): return np.sum(K * x * x)\n", "K = {b}"),
    "a called one's": (
        "K = {a}\ndef g(x): return K * x\ndef f(x): return np.sum(g(x) * x)\n",
        "K = {b}",
    ),
    "a closure's": (
        "def make(k):\n    def g(x): return k * x\n    def more(v):\n"
        "        nonlocal k\n        k = v\n    return g, more\n"
        "g, more = make({a})\ndef f(x): return np.sum(g(x) * x)\n",
        "more({b})",
    ),
    "a default": (
        "def g(x, k={a}): return k * x\ndef f(x): return np.sum(g(x) * x)\n",
        "g.__defaults__ = ({b},)",
    ),
    "a default by keyword": (
        "def g(x, *, k={a}): return k * x\ndef f(x): return np.sum(g(x) * x)\n",
        "g.__kwdefaults__['k'] = {b}",
    ),
    "an own default by keyword": (
        "def f(x, *, k={a}): return k * np.sum(x * x)\n",
        "f.__kwdefaults__['k'] = {b}",
    ),
    "own defaults by keyword": (
        "def f(x, *, k={a}): return k * np.sum(x * x)\n",
        "f.__kwdefaults__ = {{'k': {b}}}",
    ),
    "the class of an instance": (
        "class A:\n    def m(self, x): return {a} * x\n"
        "class B:\n    def m(self, x): return {b} * x\n"
        "it = A()\ndef f(x): return np.sum(it.m(x) * x)\n",
        "it.__class__ = B",
    ),
    "a function": (
        "def g(x): return {a} * x\ndef h(x): return {b} * x\n"
        "def f(x): return np.sum(g(x) * x)\n",
        "g = h",
    ),
    "a function's code": (
        "def g(x): return {a} * x\ndef f(x): return np.sum(g(x) * x)\n"
        "def h(x): return {b} * x\n",
        "h.__name__, g = 'h', h",
    ),
    "an array's entries": (
        "A = np.array([{a}, {a}])\ndef make(A):\n    def f(x): return np.sum(A * x * x)\n"
        "    return f\nf = make(A)\n",
        "A[:] = {b}",
    ),
    "another array around it": (
        "def make(A):\n    def f(x): return np.sum(A * x * x)\n    def more(v):\n"
        "        nonlocal A\n        A = A * 0 + v\n    return f, more\n"
        "f, more = make(np.array([{a}, {a}]))\n",
        "more({b})",
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("maker", ["grad", "value_and_grad", "vjp", "jvp", "jacobian"])
def test_a_gradient_at_hand_follows_what_it_reads(form, maker):
    text, change = (part.format(a=2.0, b=5.0) for part in FORMS[form])
    space = vars(sys.modules[imported(f"import numpy as np\n{text}", "f").__module__])
    made = getattr(gradgen, maker)(space["f"])
    x = np.array([1.0, 3.0])

    def gradient():
        if maker == "jvp":
            return np.array([made(x, unit)[1] for unit in np.eye(2)])
        found = made(x)
        if maker == "vjp":
            return found[1](1.0)
        return found[1] if maker == "value_and_grad" else found

    for _ in range(3):  # from the second on, the call is written for its signature
        assert np.array_equal(gradient(), 4 * x)
    exec(change, space)
    for _ in range(2):
        assert np.allclose(gradient(), 10 * x)


def test_entries_of_an_array_that_a_called_function_holds():
    A = np.array([1.0, 2.0])

    def around(A):
        def g(x):
            return A * x

        return lambda x: np.sum(g(x) * x)

    made = around(A)
    before = key_of(made)
    A[0] = 5.0
    assert before is not None and key_of(made) != before


def test_functions_that_call_each_other_have_a_key_soon():
    names = [f"f{i}" for i in range(12)]
    calls = " + ".join(f"{name}(x)" for name in names)
    text = "".join(f"def {name}(x):\n    return {calls}\n" for name in names)
    assert key_of(imported(text, "f0")) is not None


@pytest.mark.parametrize(
    "one, other",
    [(1, True), (1, 1.0), (0.0, -0.0), ({1: 2}, {True: 2}), ([1], (1,))],
)
def test_values_that_are_equal_and_not_the_same(one, other):
    assert key_of(one) != key_of(other)


def test_the_oldest_is_forgotten():
    recent = Recent(2)
    for key in "abc":
        recent.keep(key, key.upper())
    assert recent.get("a") is None and recent.get("c") == "C"
    recent.get("b")
    recent.keep("d", "D")
    assert recent.get("c") is None and recent.get("b") == "B"

"""What annotations and tests tell of arguments is checked where a gradient is called.

The text relies on it: with another shape it would return a wrong gradient silently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError

x = np.array([0.5, -1.0, 2.0])
X = np.arange(6.0).reshape(2, 3)


def one_length(x: Float[np.ndarray, "n"], y: Float[np.ndarray, "n"]):  # noqa: F821
    return np.sum(x * y)


def a_number(x: float, y: np.ndarray):
    return np.sum(x * y)


def masked(x, keep: Bool[np.ndarray, "n"]):  # noqa: F821
    return np.sum(x[keep] ** 2)


@dataclass
class Layer:
    w: Float[np.ndarray, "n"]  # noqa: F821
    b: float


def recorded(layer: Layer, y: Float[np.ndarray, "n"]):  # noqa: F821
    return np.sum(layer.w * y) + layer.b


def compared(x, k):
    if k > 1:
        return np.sum(x * k)
    return np.sum(x)


@pytest.mark.parametrize(
    "function, args, message",
    [
        (one_length, (x, x[:1]), r"y has the shape \(1,\), and its fact is 'n'"),
        (one_length, (X, X), r"x has the shape \(2, 3\), and its fact is 'n'"),
        (masked, (x, np.array([0, 0, 1])), "keep holds int64 numbers, and its fact"),
        (recorded, (Layer(x, 1.0), x[:1]), r"y has the shape \(1,\)"),
        (recorded, (Layer(x, x), x), r"layer.b has the shape \(3,\)"),
    ],
)
def test_another_shape_than_is_told(function, args, message):
    with pytest.raises(gradgen.GradgenError, match="GG503 the argument " + message):
        gradgen.grad(function)(*args)


@pytest.mark.parametrize("make", [gradgen.vjp, gradgen.value_and_grad])
def test_every_maker_checks(make):
    with pytest.raises(gradgen.GradgenError, match="GG503"):
        make(one_length)(x, x[:1])
    with pytest.raises(gradgen.GradgenError, match="GG503"):
        gradgen.jvp(one_length)(x, x[:1], x)


def test_one_shape_wherever_its_name_stands():
    def function(x, y):
        return np.sum(x * y)

    made = gradgen.grad(function, shapes={"x": "*s", "y": "*s"})
    assert np.array_equal(made(X, X), X)
    with pytest.raises(gradgen.GradgenError, match=r"GG503 the argument y .*\(3,\)"):
        made(X, x)


def test_what_fits_is_taken():
    assert np.array_equal(gradgen.grad(one_length)(x, 2 * x), 2 * x)
    assert np.array_equal(gradgen.grad(masked)(x, x > 0), 2 * x * (x > 0))
    assert gradgen.grad(a_number)(2.0, x) == np.sum(x)
    assert np.array_equal(
        gradgen.grad(a_number)(2 * x, x), x
    )  # a float alone binds not
    assert np.array_equal(gradgen.grad(recorded)(Layer(x, 1.0), 2 * x).w, 2 * x)
    for k in (2.0, np.float64(2.0), np.array([2.0])):
        assert np.array_equal(gradgen.grad(compared)(x, k), [2.0, 2.0, 2.0])


def test_an_array_that_is_no_number_where_a_test_reads_one():
    with pytest.raises((ValueError, gradgen.GradgenError)):
        gradgen.grad(compared)(x, x)


def cut(x, W, b):
    n = W.shape[1] // 2
    return np.sum(x @ W[:, :n] * b[1:])


@pytest.mark.parametrize(
    "facts",
    [
        {"x": "k d", "W": "d 2*h", "b": "h+1"},
        {"x": "k d", "W": "d 2*h-2", "b": "h"},  # h stands alone in one of them
        {"x": "k d", "W": "d 2*n", "b": "n+1"},
    ],
)
def test_lengths_made_of_others(facts):
    gradient = gradgen.grad(cut, wrt="W", shapes=facts)
    u, b = np.ones((4, 2)), np.arange(4.0)
    found = gradient(u, np.ones((2, 6)), b)
    expected = np.zeros((2, 6))
    expected[:, :3] = np.ones((2, 4)) @ np.ones((4, 1)) * b[1:]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    for shape, entries in (((2, 5), 4), ((2, 6), 3), ((2, 8), 4), ((3, 6), 4)):
        with pytest.raises(gradgen.GradgenError, match="GG503"):
            gradient(u, np.ones(shape), np.ones(entries))


def test_two_open_names_in_one_length_are_left_open():
    gradient = gradgen.grad(a_number, wrt="y", shapes={"x": "", "y": "n+m"})
    np.testing.assert_array_equal(gradient(2.0, np.ones(5)), np.full(5, 2.0))


def over_all(xs, w):
    return sum(w * x for x in xs) + w


def over_values(p, w):
    return sum(w * x for x in p.values()) + w


def by_key(p, w):
    return p["a"] * w * w


def over_inner(q, w):
    return sum(w * x for x in q["r"].values())


@pytest.mark.parametrize(
    "function, fact, given, named",
    [
        (over_all, [], [1.0, 2.0], r"xs\[0\], xs\[1\]"),
        (over_values, {}, {"a": 1.0}, r'p\["a"\]'),
        (over_values, {"a": ""}, {"a": 1.0, "b": 2.0}, r'p\["b"\]'),
    ],
)
def test_what_no_fact_tells_of_and_the_function_reads(function, fact, given, named):
    first = function.__code__.co_varnames[0]
    made = gradgen.grad(function, "w", shapes={first: fact, "w": ""})
    with pytest.raises(GradgenError, match=f"GG503 the argument {first} has {named}"):
        made(given, 2.0)


def test_keys_of_inner_dictionaries():
    made = gradgen.grad(over_inner, "w", shapes={"q": {"r": {"a": ""}}, "w": ""})
    assert made({"r": {"a": 1.0, "b": 2.0}}, 2.0) == 3.0
    assert made({"r": {"a": 1.0}}, 2.0) == 1.0


def test_keys_that_nothing_reads_need_no_fact():
    made = gradgen.grad(by_key, ("p", "w"), shapes={"p": {"a": ""}, "w": ""})
    assert made({"a": 3.0, "b": 5.0}, 2.0) == ({"a": 4.0}, 12.0)


@pytest.mark.parametrize("fact", [[], [""], {}, {"a": ""}, ["", "", ""]])
@pytest.mark.parametrize("given", [np.array([1.0, 2.0, 3.0]), 2.0])
def test_an_array_where_a_container_is_told(fact, given):
    with pytest.raises(GradgenError) as error:
        gradgen.grad(over_all, "w", shapes={"xs": fact, "w": ""})(given, 2.0)
    assert error.value.advice

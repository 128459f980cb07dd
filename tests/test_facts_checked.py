"""What annotations and tests tell of arguments is checked where a gradient is called.

The text relies on it: with another shape it would return a wrong gradient silently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import gradgen

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
        (a_number, (x, x), r"x has the shape \(3,\), and its fact is ''"),
        (masked, (x, np.array([0, 0, 1])), "keep holds int64 numbers, and its fact"),
        (recorded, (Layer(x, 1.0), x[:1]), r"y has the shape \(1,\)"),
        (recorded, (Layer(x, x), x), r"layer.b has the shape \(3,\)"),
        (
            compared,
            (x, np.array([2.0])),
            r"k has the shape \(1,\), and the function co",
        ),
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
    assert np.array_equal(gradgen.grad(recorded)(Layer(x, 1.0), 2 * x).w, 2 * x)
    assert np.array_equal(gradgen.grad(compared)(x, np.float64(2.0)), [2.0, 2.0, 2.0])

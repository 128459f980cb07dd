"""What Python's own tools see of a derivative; dictionaries of numbers as arguments."""

import inspect

import numpy as np
import pytest

import gradgen


def first(x, W: np.ndarray, k=2.0, *, s=1.0):
    return np.sum(np.tanh(W @ x) * k) * s


def second(p):
    return p["a"] * p["b"] + p["c"]["d"]


def third(p, x):
    return np.sum(p["w"] * x) + p["n"]


@pytest.mark.parametrize("maker", ["grad", "value_and_grad", "vjp", "jvp", "hvp"])
def test_the_signature_is_that_of_the_function(maker):
    made = getattr(gradgen, maker)(first)
    assert inspect.signature(made) == inspect.signature(first)


@pytest.mark.parametrize(
    "function, args, want",
    [
        (second, ({"a": 2.0, "b": 3.0, "c": {"d": 1.0}},),)
        + ({"a": 3.0, "b": 2.0, "c": {"d": 1.0}},),
        (second, ({"a": 0.5, "b": np.float64(3), "c": {"d": 1.0}},),)
        + ({"a": 3.0, "b": 0.5, "c": {"d": 1.0}},),
        (third, ({"w": 2.0, "n": 1.0}, np.arange(3.0)), {"w": 3.0, "n": 1.0}),
    ],
)  # fmt: skip
def test_dictionaries_of_numbers(function, args, want):
    assert gradgen.grad(function)(*args) == want

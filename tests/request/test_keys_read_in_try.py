"""A dictionary of which nothing tells has the keys that a try reads of it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def two_keys(k, x):
    try:
        w = k["w"]
        b = k["b"]
    except KeyError:
        w, b = 1.0, 0.0
    return np.sum(w * x * x + b)


def three_keys(k, x):
    try:
        w, b, c = k["w"], k["b"], k["c"]
    except KeyError:
        return np.sum(x)
    return np.sum(w * x * x + b * c)


def inner_keys(k, x):
    try:
        w = k["p"]["w"]
        b = k["p"]["b"]
    except KeyError:
        w, b = 1.0, 2.0
    return np.sum(w * x * x + b * x)


def one_after_the_other(k, x):
    w = k["w"]
    try:
        b = k["b"]
    except KeyError:
        b = 0.0
    try:
        c = k["c"]
    except KeyError:
        c = 3.0
    return np.sum(w * x * x + b * x) * c


VALUES = {"w": 2.0, "b": 0.5, "c": 1.5, "p": {"w": 3.0, "b": 0.25}}


@pytest.mark.parametrize(
    "function", [two_keys, three_keys, inner_keys, one_after_the_other]
)
def test_the_body_is_taken(function):
    x = np.array([0.5, 1.25])
    names = {}
    exec(gradgen.emit(function, wrt="x"), names)
    text = names[f"grad_{function.__name__}"]
    want = numeric_gradient(function, [VALUES, x], 1, 1.0).value
    for found in (text(VALUES, x), gradgen.grad(function, wrt="x")(VALUES, x)):
        np.testing.assert_allclose(found, want, rtol=1e-6)
    with pytest.raises(KeyError):
        text({}, x)
    if function is not one_after_the_other:
        want = numeric_gradient(function, [{}, x], 1, 1.0).value
        np.testing.assert_allclose(
            gradgen.grad(function, wrt="x")({}, x), want, rtol=1e-6
        )

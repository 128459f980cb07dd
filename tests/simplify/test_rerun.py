"""Loops that keep only what enters a round: the same gradients, from shorter lists."""

import copy
import importlib
import tracemalloc

import numpy as np
import pytest

import gradgen
from examples import dynamics
from gradgen.verify.finite import numeric_gradient
from tests.loop_examples import EXAMPLES


def primal(name):
    module, _, function = EXAMPLES[name].primal.partition(".")
    return getattr(importlib.import_module(f"examples.{module}"), function)


def gated(x, w):
    total = 0.0
    for k in range(3):
        y = np.sin(w * x)
        z = np.exp(-y) * y
        s = np.sum(z)
        x = x + z / (1 + s * s) * np.cos(y)
        total += s
    return total + np.sum(x * x)


def in_place(x, w):
    y = x * w
    for k in range(4):
        y *= np.cos(y)
        z = y * y
        y[1:] += np.sin(z[:-1])
    return np.sum(y)


def nested(x, w):
    for i in range(3):
        a = np.tanh(x)
        for j in range(i):
            b = a * np.sin(w)
            x = x + b * np.exp(-b) * x
    return np.sum(x)


def branched(x, w):
    for i in range(4):
        y = np.exp(-x * x)
        if np.sum(y) > 1:
            z = y * np.sin(y)
            x = x + z * w
        else:
            x = x * y
    return np.sum(x)


def while_and_break(x, w):
    k = 0
    while k < 6:
        y = np.sin(x) * w
        x = x + np.exp(-y * y) * y
        if np.sum(x) > 3:
            break
        k += 1
    return np.sum(x * x)


def of_numbers(x, w):
    s = x[0]
    for i in range(3):
        r = s * s + w[i]
        q = np.sqrt(r) * np.exp(-r)
        s = s + q * q * r
    return s


SMALL = [gated, in_place, nested, branched, while_and_break, of_numbers]


@pytest.mark.parametrize("function", SMALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"x": "n", "w": "n"}, {}], ids=["known", "unknown"])
def test_value_shape_and_dtype(function, shapes):
    rng = np.random.default_rng(3)
    args = [rng.uniform(0.2, 1.0, 4), rng.uniform(0.2, 1.0, 4)]
    gradient = gradgen.grad(function, wrt=("x", "w"), shapes=shapes, save="state")
    found = gradient.function(*copy.deepcopy(args))
    single = gradient.function(*(arg.astype(np.float32) for arg in args))
    for place, one in enumerate(found):
        expected = numeric_gradient(function, copy.deepcopy(args), place, 1.0)
        np.testing.assert_allclose(one, expected.value, rtol=1e-7, atol=1e-8)
        assert one.shape == args[place].shape and one.dtype == np.float64
        assert single[place].dtype == np.float32
        np.testing.assert_allclose(single[place], one, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples(name):
    example, function = EXAMPLES[name], primal(name)
    names = list(example.names)
    wrt = tuple(example.wrt.split())
    args = example.arguments(1, np.random.default_rng(1))
    made = gradgen.vjp(function, wrt=wrt, shapes=example.shapes, save="state")
    value, pullback = made(*copy.deepcopy(args))
    seed = np.random.default_rng(5).uniform(0.5, 1.5, np.shape(value))
    for which, found in zip(wrt, pullback(seed[()] if seed.shape == () else seed)):
        place = names.index(which)
        expected = numeric_gradient(function, copy.deepcopy(args), place, seed)
        scale = max(1e-6, np.max(np.abs(expected.value)))
        np.testing.assert_allclose(found, expected.value, atol=1e-7 * scale)


def peak(save):
    wrt = tuple(EXAMPLES["rk4_lotka_volterra"].wrt.split())
    shapes = EXAMPLES["rk4_lotka_volterra"].shapes
    function = dynamics.rk4_lotka_volterra
    gradient = gradgen.grad(function, wrt=wrt, shapes=shapes, save=save).function
    x, y = np.random.default_rng(0).uniform(0.5, 1.5, (2, 10_000))
    tracemalloc.start()
    gradient(x, y, 0.9, 0.5, 1.1, 0.4, 0.01, 100)
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size


def test_it_takes_less_memory():
    assert peak("state") < 0.25 * peak("values")


def test_the_header_says_it():
    text = gradgen.emit(gated, save="state")
    assert "--save state" in text
    assert "--save" not in gradgen.emit(gated)
    with pytest.raises(gradgen.GradgenError, match="GG022"):
        gradgen.emit(gated, save="all")

"""Functions that arms of branches make, of what these arms have computed."""

from functools import partial

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.scopes import watched

X = np.array([0.3, -1.2, 0.7, 2.1, -0.4])
TABLE = {
    "sin": np.sin,
    "square": lambda v: v**2,
    "relu": lambda v: np.maximum(v, 0),
}


def by_a_table(x, names=("sin", "square", "relu")):
    for n in names:
        x = x + TABLE[n](x)
    return np.sum(x)


def one_of_four(x):
    for v in x:
        if v > 1:
            f = np.sin
        elif v > 0:
            f = np.cos
        elif v > -1:
            f = np.tanh
        else:
            f = lambda t: t**2  # noqa: E731
        x = x + f(x) * v
    return np.sum(x)


def partial_functions(x):
    for v in x:
        if v > 0:
            f = partial(np.multiply, v * 2)
        else:
            f = partial(np.add, v * 3)
        x = f(x) * 0.5
    return np.sum(x)


def scaled(t, k=1.0, b=0.0):
    return t * k + b


def partial_of_a_partial(x):
    for v in x:
        w = 0.7
        if v > 0:
            w = v * v
            f = partial(partial(scaled, k=w), b=v)
        else:
            f = lambda t: t * w  # noqa: E731
        x = f(x) * 0.5
    return np.sum(x)


def defaults(x):
    for v in x:
        if v > 0:
            k = v * v
            f = lambda t, k=k: t * k  # noqa: E731
        else:
            k = v * 3
            f = lambda t, k=k * 2: t + k  # noqa: E731
        x = f(x) * 0.5
    return np.sum(x)


def the_other_arm_returns(x):
    if x[0] > 5:
        return np.sum(x)
    if x[1] > 0:
        f = partial(np.multiply, x * 2)
    else:
        y = x * 3
        f = partial(np.add, y) if y[2] > 0 else np.sin
    return np.sum(f(x))


def returned_by_conditions(x):
    def pick(v):
        if v > 1:
            return np.sin
        if v > 0:
            return lambda t: t * v
        if v > -1:
            return partial(np.multiply, v * v)
        return np.cos

    for v in x:
        x = x + pick(v)(x)
    return np.sum(x)


def reads_what_its_arm_has(x):
    def inner(v):
        if v > 0:
            w = v * v
            return lambda t: t * w, w
        u = v + 1
        return (lambda t: t - u), u

    for v in x:
        f, c = inner(v)
        x = f(x) * c * 0.3
    return np.sum(x)


def reads_what_the_call_around_has(x):
    def f(t):
        if t > 0:
            w = x[0] * t

            def g(s):
                if s > 0:
                    return lambda u: u * w * s
                return lambda u: u + w

            return g(t - 1)
        return lambda u: u * t

    r = 1.0
    for v in x:
        r = f(v)(r) * 0.9 + 1
    return r


ALL = (
    by_a_table,
    one_of_four,
    partial_functions,
    partial_of_a_partial,
    defaults,
    the_other_arm_returns,
    returned_by_conditions,
    reads_what_its_arm_has,
    reads_what_the_call_around_has,
)


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("sign", (1.0, -1.0))
def test_each_call_is_of_the_function_that_its_round_has_made(function, sign):
    x = X * sign
    want = numeric_gradient(function, (x,), 0).value
    with watched() as out_of_place:
        value, got = gradgen.value_and_grad(function)(x)
        text = gradgen.emit(function)
        along = gradgen.jvp(function)(x, np.ones(5))[1]
    assert not out_of_place
    space: dict = {}
    exec(text, space)
    assert value == function(x.copy())
    for found in (got, space[f"grad_{function.__name__}"](x)):
        assert found.shape == x.shape and found.dtype == x.dtype
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(along, np.sum(want), rtol=1e-6, atol=1e-7)


def test_another_instance_in_either_arm_is_no_list(write):
    name = write(
        "class Gain:\n"
        "    def __init__(self, k):\n"
        "        self.k = k\n"
        "    def up(self, t):\n"
        "        return t * self.k\n"
        "    def down(self, t):\n"
        "        return t - self.k\n"
        "def f(x):\n"
        "    if x[0] > 0:\n"
        "        g = Gain(x[0]).up\n"
        "    else:\n"
        "        g = Gain(x[1]).down\n"
        "    return np.sum(g(x))\n"
    )
    with pytest.raises(gradgen.GradgenError, match="g is another object after either"):
        gradgen.emit(name)

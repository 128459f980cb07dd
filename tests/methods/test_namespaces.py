"""Functions that stand in a class as in a module: no instance is their first argument."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class State:
    FACTOR = 2.0

    def check(p):
        return p * p

    def density(T, p):
        return T * State.check(p) / State.FACTOR

    def loss(x, y):
        r = State.check(x) - y
        return r.sum() + x.mean()

    def over_time(x, steps=3):
        for _ in range(steps):
            x = x + 0.1 * np.sin(x)
        return np.sum(x * State.FACTOR)


CASES = [
    (State.density, (2.0, 3.0)),
    (State.loss, (np.array([0.5, -1.0]), np.array([0.1, 0.2]))),
    (State.over_time, (np.array([0.5, -1.0]),)),
]


@pytest.mark.parametrize("f, args", CASES)
def test_right(f, args):
    for place, name in enumerate(list(f.__code__.co_varnames)[: len(args)]):
        want = numeric_gradient(f, args, place).value
        found = gradgen.grad(f, wrt=name)(*args)
        np.testing.assert_allclose(found, want, rtol=1e-7)
        names: dict = {"__name__": __name__}
        exec(gradgen.emit(f, wrt=name, example=args), names)
        found = names[f"grad_{f.__name__}"](*args)
        np.testing.assert_allclose(found, want, rtol=1e-7)


class Scaled:
    def __init__(s, k):
        s.k = k

    def twice(s):
        return 2 * s.k

    def dot(s, x):
        return np.sum(s.k * x**2)

    def through(a, x):
        return a.dot(x) * 3


@pytest.mark.parametrize("name", ["dot", "through"])
def test_methods_whose_instance_has_another_name(name):
    x, scaled = np.array([0.5, -1.0]), Scaled(3.0)
    want = numeric_gradient(getattr(scaled, name), (x,), 0).value
    np.testing.assert_allclose(gradgen.grad(getattr(scaled, name))(x), want, rtol=1e-7)
    found = gradgen.grad(getattr(Scaled, name), wrt="x")(scaled, x)
    np.testing.assert_allclose(found, want, rtol=1e-7)


class WithOperators:
    def __init__(s, k):
        s.k = k

    def __mul__(s, other):
        return s.k * other

    def scaled(s, x):
        return np.sum(s * x**2)


def test_a_method_that_reads_nothing_of_its_instance_is_one():
    x, one = np.array([0.5, -1.0]), WithOperators(3.0)
    found = gradgen.grad(WithOperators.scaled, wrt="x")(one, x)
    np.testing.assert_allclose(found, 6 * x, rtol=1e-12)
    names: dict = {}
    exec(gradgen.emit(WithOperators.scaled, wrt="x"), names)
    np.testing.assert_allclose(names["grad_scaled"](one, x), 6 * x, rtol=1e-12)

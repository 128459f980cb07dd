"""Arguments that are one object, hold one, or stand around the function as well."""

import dataclasses
import types

import numpy as np
import pytest

import gradgen

X = np.array([1.5, 2.0, 3.0])
AROUND = np.array([1.0, 2.0, 3.0])


class Model:
    def __init__(self):
        self.w = 2.0


@dataclasses.dataclass
class Record:
    w: float = 2.0


class Optimiser:
    def __init__(self, model):
        self.model = model

    def step(self, model, x):
        model.w = model.w * x[0]
        return self.model.w * np.sum(x)


def stored(m, n, x):
    m.w = m.w * x[0]
    return n.w * np.sum(x)


def in_a_table(m, n, x):
    m["w"] = m["w"] * x[0]
    return n["w"] * np.sum(x)


@pytest.mark.parametrize(
    "make",
    [Model, Record, lambda: types.SimpleNamespace(w=2.0)],
    ids=["own", "record", "space"],
)
def test_one_object_under_two_names(make):
    derivative = gradgen.value_and_grad(stored, "x")
    one = make()
    with pytest.raises(ValueError, match="m and n are one object, and m.w is stored"):
        derivative(one, one, X)
    value, found = derivative(make(), make(), X)
    assert value == 2.0 * np.sum(X)
    np.testing.assert_array_equal(found, np.full(3, 2.0))


def test_one_dictionary_under_two_names():
    one = {"w": 2.0}
    with pytest.raises(ValueError, match="one dictionary"):
        gradgen.grad(in_a_table, "x")(one, one, X)
    np.testing.assert_array_equal(
        gradgen.grad(in_a_table, "x")(one, {"w": 2.0}, X), np.full(3, 2.0)
    )


def test_an_object_that_another_argument_holds():
    model = Model()
    with pytest.raises(ValueError, match="are one object"):
        gradgen.grad(Optimiser(model).step, "x")(model, X)
    found = gradgen.grad(Optimiser(model).step, "x")(Model(), X)
    np.testing.assert_array_equal(found, np.full(3, 2.0))


def around(x):
    x[1] = x[0] ** 2
    return np.sum(x * AROUND)


def enclosed(inner):
    def f(x):
        x[1] = x[0] ** 2
        return np.sum(x * inner["G"])

    return f


def test_an_array_of_the_module():
    for given in (AROUND, AROUND[::-1]):
        with pytest.raises(gradgen.GradgenError, match="GG507"):
            gradgen.grad(around)(given)
    np.testing.assert_array_equal(gradgen.grad(around)(AROUND.copy()), [5, 0, 3])


def test_an_array_of_an_enclosing_function():
    table = {"G": AROUND.copy()}
    with pytest.raises(gradgen.GradgenError, match="GG507"):
        gradgen.grad(enclosed(table))(table["G"])
    np.testing.assert_array_equal(
        gradgen.grad(enclosed(table))(AROUND.copy()), [5, 0, 3]
    )


def held(x):
    return np.sum(gradgen.stop_gradient(x**2) * x)


@pytest.mark.parametrize(
    "make",
    [
        lambda: gradgen.jacobian(gradgen.grad(held))(X),
        lambda: gradgen.grad(gradgen.grad(held))(X),
        lambda: gradgen.jvp(gradgen.grad(held))(X, X),
        lambda: gradgen.vjp(gradgen.grad(held))(X),
    ],
    ids=["jacobian", "grad", "jvp", "vjp"],
)
def test_what_is_held_constant_is_not_differentiated_again(make):
    with pytest.raises(gradgen.GradgenError, match="GG260 held holds values constant"):
        make()
    np.testing.assert_array_equal(gradgen.hessian(held)(X), np.zeros((3, 3)))

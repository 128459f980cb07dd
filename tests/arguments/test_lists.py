"""Lists, tuples and ranges of numbers: as arguments in wrt, and held."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from tests.arguments import functions


def scaled_by(x, w):
    return np.sum(np.multiply(x, w)) * 0.5


def squares_by(x, w):
    return np.sum(x * x * np.asarray(w))


def first_of_joined(x, w):
    return np.sum(np.square(x + w))


def picked(x, places):
    return np.sum(x[places] ** 2)


def reshaped(x, shape):
    return np.sum(np.reshape(x, shape)[0] * 0.5)


@pytest.mark.parametrize(
    "argument, want",
    [
        ([1, 2], [0.5, 0.25]),
        ((1, 2), (0.5, 0.25)),
        (range(1, 3), [0.5, 0.25]),
        ([1, 2.5], [0.5, 0.25]),
        ([True, False], [0.5, 0.25]),
        ((np.float32(1), np.float32(2)), (0.5, 0.25)),
    ],
)
def test_the_gradient_of_numbers_in_a_list(argument, want):
    found = gradgen.grad(functions.entries)(argument)
    assert found == want and type(found) is type(want)
    assert all(isinstance(one, (float, np.float32)) for one in found)
    value, both = gradgen.value_and_grad(functions.entries)(argument)
    assert both == want and value == functions.entries(argument)
    assert gradgen.vjp(functions.entries)(argument)[1](2.0)[0] == 2 * want[0]


@pytest.mark.parametrize(
    "argument",
    [[[1, 2], [3, 4]], ([1, 2], [3, 4]), [(1, 2.0), (3, 4)], ((1, 2), (3, 4))],
)
def test_nested_lists_keep_their_form(argument):
    (a, b), (c, d) = gradgen.grad(functions.nested)(argument)
    assert [a, b, c, d] == [3.0, 0.5, 1.0, 0.0]
    found = gradgen.grad(functions.nested)(argument)
    assert type(found) is type(argument)
    assert [type(one) for one in found] == [type(one) for one in argument]


@pytest.mark.parametrize("held", [[1, 2, 4], (1, 2, 4), range(1, 4), [True, False, 1]])
@pytest.mark.parametrize("function", [scaled_by, squares_by])
def test_held_lists_compute_as_in_the_primal(function, held):
    x, step = np.array([0.5, 1.5, -2.0]), 1e-6
    measured = [
        (function(x + step * e, held) - function(x - step * e, held)) / (2 * step)
        for e in np.eye(3)
    ]
    assert np.allclose(gradgen.grad(function)(x, held), measured)


@pytest.mark.parametrize(
    "function, args",
    [
        (functions.doubled, ([1.0, 2.0],)),
        (functions.scaled, ([1.0, 2.0],)),
        (functions.polynomial, ([1.0, 2.0],)),
        (first_of_joined, ([0.0, 0.0], [1.0, 2.0])),
        (first_of_joined, ([1.0, 2.0], (0.0, 0.0))),
    ],
)
def test_where_the_list_computes_otherwise_it_is_refused(function, args):
    with pytest.raises(GradgenError, match="GG511 the argument x is a list") as error:
        gradgen.grad(function)(*args)
    assert "np.asarray(x)" in error.value.advice
    arrays = [np.asarray(arg) for arg in args]
    assert np.all(np.isfinite(gradgen.grad(function)(*arrays, seed=1.0)))


def test_the_sum_of_lists_is_not_that_of_arrays_at_a_point_where_they_agree():
    # sum((x + w)**2) and sum(x**2) + sum(w**2) are one number where x is 0
    with pytest.raises(GradgenError, match="GG511"):
        gradgen.grad(first_of_joined)([0.0, 0.0], [1.0, 2.0])


@pytest.mark.parametrize("places", [[0, 2, 2], [1], np.array([0, 2, 2])])
def test_held_places_stay_places(places):
    x = np.array([1.0, 2.0, 3.0])
    want = np.zeros(3)
    np.add.at(want, places, 2 * x[places])
    assert np.array_equal(gradgen.grad(picked)(x, places), want)


@pytest.mark.parametrize("shape", [(2, 3), [2, 3], (6,)])
def test_held_shapes_stay_shapes(shape):
    want = np.zeros(6)
    want[: 6 // shape[0] if len(shape) > 1 else 1] = 0.5
    assert np.array_equal(gradgen.grad(reshaped)(np.ones(6), shape), want)


def test_jvp_and_hvp_take_lists_along_lists():
    value, along = gradgen.jvp(functions.entries)([1, 2], [2, 4])
    assert (value, along) == (1.0, 2.0)
    assert gradgen.hvp(functions.looped)([1, 2], [2, 4]) == [2.0, 4.0]
    with pytest.raises(GradgenError, match="GG509"):
        gradgen.jvp(functions.entries)([1, 2], [1.0, 2.0, 3.0])


def test_a_list_in_a_told_container_is_refused_by_its_path():
    def loss(params):
        return np.sum(params["w"] * params["w"])

    g = gradgen.grad(loss, shapes={"params": {"w": "n"}})
    with pytest.raises(GradgenError, match=r'GG511 params\["w"\] is a list'):
        g({"w": [1.0, 2.0]})
    assert np.array_equal(g({"w": np.array([1.0, 2.0])})["w"], [2.0, 4.0])


def test_rows_of_several_lengths_make_no_array():
    with pytest.raises(GradgenError, match="GG511.*makes no array"):
        gradgen.grad(functions.nested)([[1.0, 2.0], [3.0]])

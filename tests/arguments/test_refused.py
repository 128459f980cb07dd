"""Kinds of arrays that compute otherwise: refused by name, wherever they are handed."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError


def loss(x, w=2.0):
    return np.sum(x * x) * w


def entries(x):
    return x * x


def of_parts(params):
    return np.sum(params["w"] * params["w"])


class Doubling(np.ndarray):
    """An array whose * is another one."""

    def __mul__(self, other):
        return np.ndarray.__mul__(self, other) * 2


class Watching(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs):
        return NotImplemented


class Foreign:
    """An array of another library."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)

    def to_numpy(self):
        return self.values


VALUES = np.array([1.0, 2.0])
ODD = {
    "np.matrix": np.matrix(VALUES),
    "masked array": np.ma.masked_array(VALUES, mask=[True, False]),
    "array of objects": VALUES.astype(object),
    "array of strings": np.array(["1", "2"]),
    "array of dates": np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"),
    "time differences": np.array([1, 2], "timedelta64[s]"),
    "structured array": np.zeros(2, [("a", float), ("b", float)]),
    "Doubling": VALUES.view(Doubling),
    "Watching": VALUES.view(Watching),
    "Foreign": Foreign(VALUES),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "vjp", "jacobian"])
def test_as_an_argument(mode, name):
    derivative = getattr(gradgen, mode)(loss)
    with pytest.raises(GradgenError, match=f"GG510 the argument x is an? .*{name}"):
        derivative(ODD[name])
    with pytest.raises(GradgenError, match="GG510 the argument w"):
        derivative(VALUES, ODD[name])
    with pytest.raises(GradgenError, match="GG510 the argument w") as error:
        derivative(VALUES, w=ODD[name])
    assert error.value.advice


@pytest.mark.parametrize("name", ODD)
def test_inside_containers(name):
    told = gradgen.grad(of_parts, shapes={"params": {"w": "n"}})
    for value in ({"w": ODD[name]}, [ODD[name]], (VALUES, [ODD[name]])):
        with pytest.raises(GradgenError, match="GG510 the argument params holds"):
            told(value)
    with pytest.raises(GradgenError, match="GG510"):
        gradgen.grad(loss, example=(ODD[name],)).source


@pytest.mark.parametrize("name", ODD)
def test_as_seed_and_as_tangent(name):
    with pytest.raises(GradgenError, match="GG508"):
        gradgen.grad(entries)(VALUES, seed=ODD[name])
    with pytest.raises(GradgenError, match="GG508"):
        gradgen.vjp(entries)(VALUES)[1](ODD[name])
    for mode in (gradgen.jvp, gradgen.hvp):
        with pytest.raises(GradgenError, match="GG509|GG510"):
            mode(loss)(VALUES, 2.0, ODD[name])


@pytest.mark.parametrize("name", [n for n in ODD if n != "Foreign"])
def test_as_a_value_of_the_function_around(name):
    held = ODD[name]

    def inside(x):
        return np.sum(held * x)

    with pytest.raises(GradgenError, match="GG510 held is"):
        gradgen.grad(inside)(VALUES)
    with pytest.raises(GradgenError, match="GG510 held is"):
        gradgen.emit(inside)


def test_held_through_the_memo_of_texts():
    def made(held):
        def inside(x):
            return np.sum(held * x)

        return inside

    plain = gradgen.grad(made(np.ones((1, 2))))
    assert np.array_equal(plain(np.ones((1, 2))), np.ones((1, 2)))
    with pytest.raises(GradgenError, match="GG510.*np.matrix"):
        gradgen.grad(made(np.matrix(np.ones((1, 2)))))(np.ones((1, 2)))


def test_what_is_fine():
    class Named(np.ndarray):
        def __array_finalize__(self, other):
            self.label = getattr(other, "label", "")

    for value in (VALUES.view(Named), VALUES[::-1], VALUES.astype(">f8")):
        found = gradgen.grad(loss)(value)
        assert np.array_equal(found, 4 * value) and found.dtype == value.dtype


@pytest.mark.parametrize("value", [None, "text", {1.0}, object(), b"x", slice(3)])
def test_what_is_no_number_at_all(value):
    with pytest.raises(GradgenError, match="GG510 the argument x is"):
        gradgen.grad(loss)(value)


def test_pandas_names_its_way_out():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(GradgenError, match="a Series of pandas") as error:
        gradgen.grad(loss)(pandas.Series(VALUES))
    assert "x.to_numpy()" in error.value.advice

"""x.__len__(), p.__getitem__(k), x.compress(mask): methods that are another spelling."""

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import at_three_points, is_right


def length(x):
    return np.sum(x**2) / x.__len__()


def item(x):
    return np.sum(x * x.__getitem__(1))


def cut(x):
    return np.sum(x.__getitem__(slice(1, None)) ** 2)


def signs(x):
    return np.sum(x.__abs__() * x + x.__neg__() ** 3)


def number(x):
    return np.sum(x).__float__() ** 2


def compressed(x):
    return np.sum(x.compress(x > 0.5) ** 2)


def compressed_rows(x):
    rows = np.stack([x, 2 * x, x**2])
    return np.sum(rows.compress([True, False, True], axis=0) ** 2)


def places(x):
    (found,) = (x > 0.5).nonzero()
    return np.sum(x[found] ** 2)


def of_a_list(x):
    parts = [x, x**2]
    return np.sum(parts.__getitem__(1)) * parts.__len__()


def of_a_dictionary(x):
    parts = {"a": x**2}
    if parts.__contains__("a"):
        return np.sum(parts.__getitem__("a"))
    return np.sum(x)


class Layer:
    def __init__(self):
        self.w = np.array([1.0, 0.5, 2.0])

    def __len__(self):
        return 5

    def __getitem__(self, key):
        return self.w[key] * 2

    def loss(self, x):
        return np.sum(x**2 * self.__getitem__(0)) * self.__len__()


class Deeper(Layer):
    def __len__(self):
        return super().__len__() + 1


@at_three_points
@pytest.mark.parametrize(
    "function",
    [
        *(length, item, cut, signs, number, compressed, compressed_rows, places),
        *(of_a_list, of_a_dictionary, Layer().loss, Deeper().loss),
    ],
    ids=lambda one: one.__qualname__,
)
def test_spelled_out(function, x):
    is_right(function, x)


@pytest.mark.parametrize("function", [length, item, compressed, places, signs])
def test_texts(function):
    x = np.array([0.7, 0.4, 1.3])
    space = {}
    exec(gradgen.emit(function), space)
    got = space[f"grad_{function.__name__}"](x)
    np.testing.assert_allclose(got, gradgen.grad(function)(x), rtol=1e-12)

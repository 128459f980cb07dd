"""np.indices, np.mgrid, np.lexsort, np.frexp, np.take with a mode, np.put and .at."""

import math

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

V = np.array([0.7, 1.3, 0.9, 1.6])
M = np.outer(V, V[:3]) + 0.1
PLACES = np.array([-1, 0, 3, 6, 3])


def centre(im):
    y, x = np.indices(im.shape)
    return (y * im).sum() / im.sum() + (x * im).max()


def weights(im):
    grid = np.indices(im.shape, dtype=float)
    return np.sum(grid[0] * im + grid[1] ** 2 * im**2)


def meshes(im):
    y, x = np.mgrid[0 : im.shape[0], 0 : im.shape[1]]
    return np.sum(y * im) + np.sum(x * im**2)


def complex_steps(x):
    grid = np.mgrid[-1:1:5j, 0:2:0.5]
    return np.exp(-np.sum(grid**2) * x / grid.size)


def one_axis(x):
    return np.sum(np.mgrid[1:5] * x)


def sorted_by(x):
    order = np.lexsort((x, np.round(x)))
    return x[order] * np.arange(1.0, 5.0)


def sorted_by_rows(x):
    return x[np.lexsort(np.stack((x, x > 1)))] * np.arange(1.0, 5.0)


def mantissas(x):
    m, e = np.frexp(x)
    return m * e + np.ldexp(m, e) * m


def of_math(x):
    total = 0.0
    for v in x:
        m, e = math.frexp(v)
        part, whole = math.modf(v * v)
        total += m * 3 + e + part * v + whole
    return total


def clipped(x):
    return np.take(x, PLACES, mode="clip") ** 2


def wrapped(x):
    return np.take(x, PLACES, mode="wrap") ** 2


def along(x):
    return x.take(np.arange(4) + 1, axis=0, mode="clip") * x


def number(x):
    return np.take(x, 9, mode="clip") * np.take(x, -6, mode="wrap")


@pytest.mark.parametrize("f", [centre, weights, meshes])
def test_grids(f):
    compare(f, (M,))


@pytest.mark.parametrize("f", [complex_steps, one_axis])
@pytest.mark.parametrize("x", [0.7, V])
def test_grids_alone(f, x):
    compare(f, (x,))


@pytest.mark.parametrize("f", [sorted_by, sorted_by_rows, mantissas, of_math])
def test_orders_and_powers(f):
    compare(f, (V,))


def test_powers_of_two():
    compare(mantissas, (np.array([-3.7, 0.01, 100.0, 5.5]),))


@pytest.mark.parametrize("f", [clipped, wrapped, along, number])
@pytest.mark.parametrize("x", [V, M])
def test_modes(f, x):
    compare(f, (x,))


def with_axis(x, axis, mode):
    return np.take(x, [0, 2, 5, -1], axis=axis, mode=mode) ** 2


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("mode", ["clip", "wrap"])
def test_modes_along_axes(axis, mode):
    compare(with_axis, (M, axis, mode), text=False)


def put(x):
    y = np.ones(5)
    np.put(y, [1, 3, 1], x[:3])
    return y * 2


def put_in_turn(x):
    y = x * x
    np.put(y, np.array([3, 0, 2]), x[:2])
    return y


def put_number(x):
    y = x * x
    np.put(y, 1, x[3])
    return y


def multiplied(x):
    y = np.ones(3)
    np.multiply.at(y, [0, 1, 0, 2], x)
    return y


def divided(x, places):
    y = x[:3] ** 2
    np.divide.at(y, places, x[1:])
    return y


def by_number(x, places):
    y = x**2
    np.multiply.at(y, places, x[0])
    return y


@pytest.mark.parametrize("f", [put, put_in_turn, put_number, multiplied])
def test_stores(f):
    compare(f, (V,))


@pytest.mark.parametrize("f", [divided, by_number])
def test_at_places(f):
    compare(f, (V, np.array([2, 0, 2])), text=False)


def matrix(x):
    y = np.ones((2, 2))
    np.multiply.at(y, (0, 1), x)
    return y


def test_what_is_refused():
    for f in (matrix,):
        with pytest.raises(gradgen.GradgenError):
            gradgen.grad(f)(0.7, seed=np.ones((2, 2)))


def mode(x):
    counts, edges = np.histogram(x, 4)
    k = np.argmax(counts)
    return (edges[k] + edges[k + 1]) / 2 * counts[k]


def density(x):
    heights, edges = np.histogram(x, bins=3, density=True)
    return np.sum(heights**2 * np.arange(1, 4)) + edges[1] ** 2


def entropy(x):
    counts = np.histogram(x)[0]
    p = counts[counts > 0] / counts.sum()
    return -np.sum(p * np.log(p)) * x[0]


def within(x):
    counts, edges = np.histogram(x, 3, range=(0.05, 2.05))
    return np.sum(counts * (edges[1:] + edges[:-1])) * x[0]


def given(x):
    return np.histogram(x, [0.1, 0.75, 2.0], density=True)[0][0] * x[1]


def weighted(x, w):
    heights, edges = np.histogram(x, 3, weights=w, density=True)
    return heights[0] * edges[1] + heights[2]


@pytest.mark.parametrize("f", [mode, density, entropy, within, given])
def test_bins(f):
    compare(f, (np.array([0.3, 0.81, 0.5, 0.9, 1.7, 0.8]),))


@pytest.mark.parametrize("wrt", [0, 1])
def test_weights_and_places(wrt):
    x = np.array([0.3, 0.81, 0.5, 0.9, 1.7, 0.8])
    compare(weighted, (x, np.linspace(1.0, 2.0, 6)), wrt)


def any_bins(x, bins):
    counts, edges = np.histogram(x, bins)
    return counts[0] * x[0] + edges[1]


def test_bins_of_a_call():
    x = np.array([0.3, 0.81, 0.5, 0.9, 1.7, 0.8])
    compare(any_bins, (x, 3), text=False)
    compare(any_bins, (x, np.array([0.1, 0.6, 2.0])), text=False)

"""np.einsum stretches an axis of one entry along another of which nothing is told."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def rows(m, x):
    x = np.atleast_2d(x)
    return np.sum(np.einsum("i,ij->j", m, x) ** 2)


def outer(m, x):
    return np.sum(np.einsum("i,ij->j", m - m.mean(axis=0), np.outer(x, m)) ** 2)


def both_sides(m, x):
    return np.sum(np.einsum("i,ij,j", m, np.atleast_2d(x), m) ** 2)


def product(m, x):
    return np.sum(np.einsum("ij,jk", np.atleast_2d(m), np.atleast_2d(x)) ** 2)


def diagonal(m, x):
    return np.sum(np.einsum("ij,jk->ik", np.atleast_2d(m), np.diag(x)) ** 2)


def of_parts(m, x):
    return np.sum(np.einsum("i,i->i", m.T, x[0])) ** 2


def squeezed(m, x):
    return np.einsum("i,i", np.squeeze(m), np.ravel(x))


def added(m, x):
    return np.sum(np.einsum("...i,...i->...", np.cumsum(m), np.squeeze(x)) ** 2)


FUNCTIONS = [rows, outer, both_sides, product, diagonal, of_parts, squeezed, added]
SHAPES = [(1,), (3,), (1, 3), (3, 1), (2, 3), (3, 3)]


@pytest.mark.parametrize("wrt", ["m", "x", ("m", "x")])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_text_is_right_or_says_what_it_takes(function, wrt):
    space: dict = {}
    exec(gradgen.emit(function, wrt), space)
    rng = np.random.default_rng(8)
    compared = 0
    for shapes in itertools.product(SHAPES, SHAPES):
        given = [rng.normal(size=shape) for shape in shapes]
        try:
            function(*given)
        except ValueError:  # NumPy does not take them
            continue
        try:
            found = space[f"grad_{function.__name__}"](*given)
        except ValueError as error:
            assert "taken for" in str(error), shapes
            continue
        compared += 1
        for name, got in zip(wrt, found if len(wrt) > 1 else [found]):
            want = numeric_gradient(function, given, "mx".index(name), 1.0).value
            assert np.shape(got) == np.shape(want), shapes
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
    assert compared > 3

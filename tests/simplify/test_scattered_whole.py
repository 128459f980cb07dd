"""Entries of a vector that are read by places of several axes, and summed along some."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.2, 1.1])
ROWS = np.array([[0, 1, 1], [2, 0, 1]])
DEEP = np.array([[[0, 1], [1, 1]], [[2, 0], [0, 1]]])
COUNTS = np.array([1.0, 10.0, 100.0])


def totals(x, rows):
    return np.sum(np.sum(x[rows], axis=0) ** 2)


def means(x, rows):
    return np.sum(np.mean(np.take(x, rows), axis=0) ** 2)


def weighed(x, rows):
    return np.sum(x[rows] * np.arange(1.0, 1 + rows.shape[-1]))


def differences(x, rows):
    return np.sum((x[rows] - x[rows[0]]) ** 2)


def turned(x, rows):
    return np.sum(np.sin(x)[..., rows].sum(axis=0) ** 3)


def as_a_tuple(x, rows):
    return np.sum(np.exp(x)[rows,].sum(axis=0) ** 2)


def of_its_own(x, rows):
    y = 2 * x
    for i in range(2):
        y = y + 0.1 * np.sum(y[rows].sum(axis=0) ** 2)
    return np.sum(y)


def with_an_axis(x, rows):
    return np.sum(np.sin(x)[rows, None].sum(axis=0) * np.ones(2))


def written(x, rows):
    return np.sum(x[[[0, 1, 1], [2, 0, 1]]].sum(axis=0) ** 2) + rows[0].sum()


FUNCTIONS = [
    totals,
    means,
    weighed,
    differences,
    turned,
    as_a_tuple,
    of_its_own,
    with_an_axis,
    written,
]


def derivatives(function, rows):
    yield gradgen.grad(function)
    for told in ({}, {"example": (X, rows)}, {"value": True}, {"guard": True}):
        space: dict = {}
        exec(gradgen.emit(function, **told), space)
        if "value" in told:
            made = space[f"value_and_grad_{function.__name__}"]
            yield lambda *args: made(*args)[1]
        else:
            yield space[f"grad_{function.__name__}"]


@pytest.mark.parametrize("rows", [ROWS, DEEP, ROWS[0]], ids=["two", "three", "one"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_place_gets_what_is_added(function, rows):
    want = numeric_gradient(function, (X, rows), 0, 1.0).value
    count = 0
    for made in derivatives(function, rows):
        try:
            found = made(X, rows)
        except ValueError as error:
            assert "expected x (n, d)" in str(error) or "taken for" in str(error)
            continue
        count += 1
        assert found.shape == X.shape and found.dtype == X.dtype
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    assert count >= 2


@pytest.mark.parametrize("rows", [ROWS, DEEP], ids=["two", "three"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_second_derivatives(function, rows):
    along = np.array([0.5, -1.0, 2.0])
    step = 1e-3
    ahead, behind = (
        numeric_gradient(function, (X + way * along, rows), 0, 1.0).value
        for way in (step, -step)
    )
    found = gradgen.hvp(function)(X, rows, along)
    want = (ahead - behind) / (2 * step)
    np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-4)


def test_nothing_is_written_where_the_axes_are_there():
    def entries(x, rows):
        return np.sum(x[rows] ** 2)

    def of_one_axis(x, rows):
        return np.sum(x[rows] * COUNTS)

    for function, places in ((entries, "m k:int"), (of_one_axis, "3:int")):
        text = gradgen.emit(function, shapes={"x": "n", "rows": places})
        assert "add.at" in text and "broadcast_to" not in text

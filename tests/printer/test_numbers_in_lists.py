"""What flows back to lists of numbers, and the seeds that go into it."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def tree(x, n=4):
    v = [x * (k + 1) for k in range(n)]
    for i in range(n - 1):
        v[i] = v[i + 1] * v[i]
    return v[0] + v[2]


def backwards(x, n=4):
    v = [max(0, x * k - 1.5) for k in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            v[j] = 0.4 * v[j + 1] + 0.5 * v[j]
    return v[0]


def of_several(x, n=3):
    acc = [0.0] * n
    for i in range(2 * n):
        acc[i % n] += x * x * (i + 1)
        acc[0] -= x
    return acc[0] * acc[1] + acc[2]


def copied(x, n=3):
    v = [x, x * x, 3.0 * x]
    for i in range(n - 1):
        v[i + 1] = v[i]
        v[i] = v[i] * v[2]
    return v[0] * v[1] + v[2]


FUNCTIONS = [tree, backwards, of_several, copied]


@pytest.mark.parametrize(
    "given", [1.3, np.float64(1.3), np.float32(1.3), np.array(1.3)]
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function, given):
    want = numeric_gradient(function, [1.3], 0).value
    text: dict = {}
    exec(gradgen.emit(function, shapes={"x": ""}), text)
    seed = np.array(0.5)
    found = text[f"grad_{function.__name__}"](given, d_out=seed)
    np.testing.assert_allclose(found, 0.5 * want, rtol=1e-5)
    assert seed == 0.5
    np.testing.assert_allclose(gradgen.grad(function)(given), want, rtol=1e-5)


def two(x, y):
    v = [x, y, x * y]
    v[0] = v[1]
    for i in range(2):
        v[i + 1] = v[i] * v[i + 1]
    return v[2], v[0]


def test_seeds_stay_as_they_are():
    text: dict = {}
    exec(gradgen.emit(two, wrt=("x", "y"), shapes={"x": "", "y": ""}), text)
    seeds = np.array(1.0), np.array(2.0)
    found = text["grad_two"](1.3, 0.7, *seeds)
    assert seeds == (1.0, 2.0)

    def whole(x, y):
        first, second = two(x, y)
        return first + 2 * second

    for i in (0, 1):
        want = numeric_gradient(whole, [1.3, 0.7], i).value
        np.testing.assert_allclose(found[i], want, rtol=1e-6)


def test_lists_of_arrays_are_not_added_to_in_place():
    def rows(x, n=3):
        v = [x * (k + 1) for k in range(n)]
        for i in range(n - 1):
            v[i] = v[i + 1] * v[i]
        return np.sum(v[0])

    text = gradgen.emit(rows, shapes={"x": "m"})
    assert "d_v[i] +=" not in text and "[0.0] *" not in text

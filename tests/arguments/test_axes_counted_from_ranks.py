"""axis=x.ndim - 1 with nothing told of x: the last axis, of arrays of any rank."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

RANDOM = np.random.default_rng(3)
BODIES = (
    "axis = x.ndim - 1\n    return np.mean(x * x, axis=axis) + 0 * np.sum(x)",
    "return np.sum(np.exp(x), axis=x.ndim - 1)",
    "return np.mean(x, x.ndim - 1)",
    "return np.cumsum(x, axis=len(x.shape) - 1) ** 2",
    "last = np.ndim(x) - 1\n    return x - np.max(x, axis=last, keepdims=True)",
    "return np.flip(x, axis=x.ndim - 1) * x",
)


@pytest.mark.parametrize("body", BODIES)
def test_the_last_axis_of_any_rank(body, tmp_path):
    function = written(f"def f(x):\n    {body}\n", tmp_path)
    for rank in (1, 2, 3):
        compare(function, (RANDOM.standard_normal((4, 3, 2)[:rank]),))


def test_the_last_axis_but_one(tmp_path):
    body = "return np.sum(x**2, axis=x.ndim - 2)"
    function = written(f"def f(x):\n    {body}\n", tmp_path)
    for rank in (2, 3):
        compare(function, (RANDOM.standard_normal((4, 3, 2)[:rank]),))


def test_axes_of_what_is_made_are_no_axes_of_the_argument(tmp_path):
    body = "return np.expand_dims(x, x.ndim - 1) * 2.0"
    function = written(f"def f(x):\n    {body}\n", tmp_path)
    for rank in (1, 2):
        compare(function, (RANDOM.standard_normal((4, 3)[:rank]),), text=rank == 1)


def test_a_rank_that_is_told_is_looked_at(tmp_path):
    function = written(f"def f(x):\n    {BODIES[1]}\n", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function, shapes={"x": "n m"}), made)
    with pytest.raises(ValueError):
        made["grad_f"](np.ones(3), 1.0)

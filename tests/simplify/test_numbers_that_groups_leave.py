"""What terms that are alike leave of their sum is one number, and in front."""

import numpy as np
import pytest

import gradgen


def of_what_nothing_tells(k, x):
    return np.sum(k * x * x)


def of_a_part(k, x):
    return np.sum(k["w"] * x * x)


def of_an_entry(k, x):
    a, b = k
    return np.sum(a * x * x + b)


@pytest.mark.parametrize(
    "function, name",
    [(of_what_nothing_tells, "k"), (of_a_part, "w"), (of_an_entry, "a")],
)
def test_a_number_is_written(function, name):
    assert f"d_x = 2 * d_out * {name} * x\n" in gradgen.emit(function, wrt="x")

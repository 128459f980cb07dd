"""Where no arm has a gradient, the reason is what stands in the arms."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


def one_way(x, kind="a"):
    if kind == "a":
        y = np.unique(x)
    else:
        raise ValueError(kind)
    return np.sum(y)


def two_ways(x, kind="a"):
    if kind == "a":
        y = np.unique(x)
    elif kind == "b":
        y = np.unique(2 * x)
    else:
        raise ValueError(kind)
    return np.sum(y)


def returned(x, kind="a"):
    if kind == "a":
        return np.sum(np.unique(x))
    raise ValueError(kind)


@pytest.mark.parametrize("f", [one_way, two_ways, returned])
def test_the_reason_is_that_of_the_arms(f):
    with pytest.raises(GradgenError) as refused:
        gradgen.emit(f)
    assert {one.code for one in refused.value.problems} == {"GG302"}
    assert "np.unique" in str(refused.value)

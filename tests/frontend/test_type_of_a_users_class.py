"""type(x) is Point, of a class of the user's: what a text is given is none.

A text has no name for such a class.
"""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([1.0, 2.0, 0.5])
MODULE = """
class Point:
    def __init__(self, place):
        self.place = place


class Space:
    Point = Point


def refuse(x):
    if type(x) != Space.Point and not isinstance(x, (np.ndarray, list)):
        raise ValueError("a point, or an array")


def f(x):
    {}
    return np.sum(x**2)
"""
TESTS = {
    "is": "if type(x) is Point:\n        x = x.place",
    "is not": "x = x if type(x) is not Point else x.place",
    "equal, the other way round": "if Point == type(x):\n        x = x.place",
    "of a namespace": "if type(x) is Space.Point:\n        x = x.place",
    "in a function": "refuse(x)",
    "one of several": "if type(x) not in (list, np.ndarray, Point):\n"
    "        raise ValueError('a point, or an array')",
    "both": "if type(x) is Point or isinstance(x, Point):\n        x = x.place",
}


@pytest.mark.parametrize("name", TESTS)
def test_text_and_call(name, tmp_path):
    function = written(MODULE.format(TESTS[name]), tmp_path)
    np.testing.assert_allclose(gradgen.grad(function)(X), 2 * X)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_f"](X), 2 * X)


def test_a_list_of_types_is_refused(tmp_path):
    lines = "for kind in [type(v) for v in x]:\n        if kind == Point:\n"
    function = written(MODULE.format(lines + "            x = 2 * x"), tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG251"):
        gradgen.emit(function)

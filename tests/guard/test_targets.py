"""A guarded text is no longer than what was written by hand for the same function."""

import ast
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from tests.guard import target_primals as primals


@dataclass(frozen=True)
class Target:
    """The shapes of a function's arguments, and the statements written by hand."""

    shapes: dict[str, str]
    most: int
    wrt: tuple[str, ...] = ()


TARGETS = {
    "cosine_loss": Target({"X": "n", "Y": "n"}, 11, ("X",)),
    "arctan2": Target({"y": "n", "x": "n"}, 5, ("y", "x")),
    "where_exp": Target({"x": "n"}, 4),
    "where_two_poles": Target({"x": "n"}, 5),
    "masked_div": Target({"x": "n", "div": "n"}, 4, ("x",)),
    "nansum_mul": Target({"a": "n", "b": "n"}, 3, ("b",)),
    "norm_rows": Target({"x": "n m"}, 4),
    "pairwise_expanded": Target({"x": "n d"}, 8),
    "sqrt": Target({"x": "n"}, 4),
    "xlogy": Target({"x": "n", "y": "n"}, 4, ("x", "y")),
    "entropy": Target({"p": "n"}, 4),
    "softplus": Target({"x": "n"}, 3),
    "log_softmax": Target({"s": "n"}, 4),
    "sigmoid": Target({"x": "n"}, 6),
    "power": Target({"x": "n", "p": "n"}, 6, ("x", "p")),
    "prod": Target({"x": "n"}, 4),
    "std": Target({"x": "n"}, 5),
    "arccos_clip": Target({"x": "n"}, 7),
    # values that are equal but for rounding are told from others: two lines more
    "eigh": Target({"A": "n n"}, 7),
}


def text_of(name: str) -> str:
    target = TARGETS[name]
    function = getattr(primals, name)
    return gradgen.emit(function, target.wrt or None, shapes=target.shapes, guard=True)


def statements(text: str) -> int:
    """The statements of all functions of a text, without their docstrings."""
    found = 0
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef):
            found += sum(isinstance(node, ast.stmt) for node in ast.walk(function))
            found -= 1 + (ast.get_docstring(function) is not None)
    return found


@pytest.mark.parametrize("name", TARGETS)
def test_no_more_statements_than_by_hand(name):
    text = text_of(name)
    assert statements(text) <= TARGETS[name].most, text


def test_statements_are_counted():
    text = 'def f(x):\n    """What."""\n    if x:\n        y = 1\n    return y\n'
    assert statements(text + text.replace("f(", "g(")) == 6


def called(name, *args):
    """What the guarded text gives, without new warnings about it."""
    names: dict = {}
    exec(text_of(name), names)
    with np.errstate(all="ignore"):
        return names[f"grad_{name}"](*args)


DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@DTYPES
def test_the_poles_of_both_arms(dtype):
    # 1 / (1 - x)**2 below 0, 1 / (1 + x) above
    x = np.array([-1, 1, -3, 3, 0], dtype)
    got = called("where_two_poles", x, np.ones(5, dtype))
    assert got.dtype == dtype
    assert np.array_equal(got, np.array([0.25, 0.5, 0.0625, 0.25, 1], dtype))


@DTYPES
def test_points_in_one_place(dtype):
    # two points at (0, 0), one at (3, 4): only its two distances of 5 pull
    x = np.array([[0, 0], [3, 4], [0, 0]], dtype)
    got = called("pairwise_expanded", x)
    want = np.array([[-1.2, -1.6], [2.4, 3.2], [-1.2, -1.6]])
    assert got.dtype == dtype
    assert np.allclose(got, want, rtol=8 * np.finfo(dtype).eps, atol=0)


@DTYPES
def test_entries_that_are_divided_by_zero(dtype):
    x, div = np.array([[1, 2, 3], [0, 4, -2]], dtype)
    got = called("masked_div", x, div)
    assert got.dtype == dtype and np.array_equal(got, np.array([0, 0.25, -0.5], dtype))

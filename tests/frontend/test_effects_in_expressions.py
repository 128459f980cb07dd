"""Calls in the middle of a statement that change what it has read, or reads next.

Each is written down once, in Python's order; where an emitted text can't tell a number
from an array, which a change binds anew or changes in place, it is refused.
"""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.effects_in_expressions import ONCE, REFUSED, WAITING
from tests.frontend.writing import written

CLASSES = """
class A:
    def __init__(self, s=0.0):
        self.s = s
        self.h = []

    def add(self, v):
        self.s = self.s + v
        self.h.append(v)
        return self

    def me(self):
        self.s = self.s * 2
        return self

    def up(self, v):
        self.s += v
        return self.s

    def arr(self, x):
        self.s = self.s + x[0]
        return x * self.s

    def lst(self, v):
        self.h.append(v)
        return self.h

    def __call__(self, v):
        self.s = self.s + v * v
        return self

    def __getitem__(self, i):
        self.s = self.s + i
        return self.s


def made(v):
    return A(v)
"""
X = np.array([0.5, 1.21, 0.7, -0.4])


def function_of(line: str, tmp_path):
    body = "\n    ".join(line.split("; "))
    source = f"{CLASSES}\n\ndef f(x):\n    a = A(x[0] * 1.0)\n    {body}\n"
    return written(source + "    return t * a.s + t + 0.1 * len(a.h) * a.s\n", tmp_path)


def measured(function):
    return numeric_gradient(function, [X], 0).value


@pytest.mark.parametrize("line", [*ONCE, *WAITING])
def test_through_a_call(line, tmp_path):
    function = function_of(line, tmp_path)
    found = gradgen.value_and_grad(function)(X)
    assert found[0] == function(X)
    np.testing.assert_allclose(found[1], measured(function), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("line", [*ONCE, *WAITING])
def test_as_a_text(line, tmp_path):
    """With nothing told; refused where a number and an array would not do the same."""
    function = function_of(line, tmp_path)
    try:
        text = gradgen.emit(function)
    except GradgenError as refusal:
        assert "GG233" in str(refusal) or "GG303" in str(refusal)
        text = gradgen.emit(function, shapes={"x": "n"})
    names: dict = {}
    exec(text, names)
    found = names["grad_f"](X)
    np.testing.assert_allclose(found, measured(function), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused(line, tmp_path):
    function = function_of(line, tmp_path)
    with pytest.raises(GradgenError):
        gradgen.grad(function)(X)
    with pytest.raises(GradgenError):
        gradgen.emit(function)

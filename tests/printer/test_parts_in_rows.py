"""Parts of instances and dictionaries are named in as few lines as they fit."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

MODEL = """
class Model:
    def __init__(self, mass, length, drag):
        self.mass, self.length, self.drag = mass, length, drag

    def energy(self, v):
        return np.sum(0.5 * self.mass * v ** 2 * self.length - self.drag * v)
"""
PARAMS = """
def f(x, p):
    return np.sum(np.tanh(x * p["w"] + p["b"]) * p["a"])
"""
LONG = """
class Model:
    def __init__(self, n):
        for i in range(n):
            setattr(self, f"coefficient_number_{i}", 0.5 + i)

    def energy(self, v):
        total = self.coefficient_number_0 * v + self.coefficient_number_1 * v ** 2
        total = total * self.coefficient_number_2 + self.coefficient_number_3
        return np.sum(total ** 2)
"""
v = np.array([0.3, -1.2, 0.8])


def loaded(text):
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    return next(space[one] for one in space if one.startswith("grad_"))


def test_attributes(tmp_path):
    cls = written(MODEL, tmp_path, "model", "Model")
    text = gradgen.emit(cls.energy, wrt="v")
    assert "    mass, length, drag = self.mass, self.length, self.drag\n" in text
    model = cls(1.3, 0.7, 0.2)
    want = numeric_gradient(model.energy, (v,), 0).value
    np.testing.assert_allclose(loaded(text)(model, v), want, rtol=1e-8)


@pytest.mark.parametrize("shapes", [None, {"p": '{"w": "", "b": "", "a": ""}'}])
def test_keys(tmp_path, shapes):
    function = written(PARAMS, tmp_path, "params")
    text = gradgen.emit(function, wrt="x", shapes=shapes)
    line = next(one for one in text.split("\n") if '= p["' in one)
    assert line.count('p["') == 3 and line.count(",") == 4
    args = v, {"w": 0.6, "b": 0.2, "a": 1.5}
    want = numeric_gradient(lambda x: function(x, args[1]), (v,), 0).value
    np.testing.assert_allclose(loaded(text)(*args), want, rtol=1e-8)


def test_keys_that_are_tuples(tmp_path):
    text = """
    def f(x, p):
        return np.sum(np.tanh(x * p[(1, 2)]) * p["a"] + p[("b",)])
    """
    function = written(text, tmp_path, "tuples")
    text = gradgen.emit(function, wrt="x")
    args = v, {(1, 2): 0.6, "a": 0.2, ("b",): 1.5}
    want = numeric_gradient(lambda x: function(x, args[1]), (v,), 0).value
    np.testing.assert_allclose(loaded(text)(*args), want, rtol=1e-8)


def test_lines_are_no_longer_than_others(tmp_path):
    cls = written(LONG, tmp_path, "long", "Model")
    model = cls(4)
    text = gradgen.emit(model.energy, wrt="v")
    rows = [one for one in text.split("\n") if one.startswith("    coefficient_")]
    assert len(rows) == 4 and max(map(len, rows)) <= 88
    want = numeric_gradient(model.energy, (v,), 0).value
    np.testing.assert_allclose(loaded(text)(model, v), want, rtol=1e-8)

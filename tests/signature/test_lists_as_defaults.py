"""Lists of numbers as defaults: others may be given in their place, by every door."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.3, 0.7])
FUNCTIONS = {
    "places": "w=[0.5, 0.25]): return np.sum(x[0] * w[0] + x[1] * w[1])",
    "array": "w=[0.5, 0.25]): return np.sum(np.sin(x) * np.array(w))",
    "unpacked": "w=[0.5, 0.25]):\n    a, b = w\n    return np.sum(x * a + x ** 2 * b)",
    "not read": "w=[0., 0, 0], h=1.0): return np.sum(x * h)",
    "counted": "w=[3, 5]):\n    for i in range(len(w)):\n        x = np.tanh(x * w[i])"
    "\n    return np.sum(x)",
    "gone through": "w=[1, 2]):\n    t = 0.0\n    for i in w:\n"
    "        t += np.sum(x ** i)\n    return t",
    "copied": "w=[0.5, 0.25]):\n    w = list(w)\n    w[0] = 2.0\n"
    "    return np.sum(x * w[0] * w[1])",
}
GIVEN = [(), ([2, 3],), ((2, 3),), ([2.0, 1.5],)]


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_lists_may_be_given(name, given, tmp_path):
    function = written(f"def f(x, {FUNCTIONS[name]}\n", tmp_path)
    want = numeric_gradient(lambda x: function(x, *given), [X], 0, 1.0).value
    made: dict = {}
    exec(gradgen.emit(function), made)
    for gradient in (made["grad_f"], gradgen.grad(function)):
        np.testing.assert_allclose(gradient(X, *given), want, rtol=1e-7)


@pytest.mark.parametrize("given", [(), ([[1.0, 2.0], [0.0, 3.0]],)], ids=str)
def test_rows_may_be_given(given, tmp_path):
    body = "w=[[0.5, 0.25], [1.0, 2.0]]): return np.sum(np.sin(x @ np.array(w)))"
    function = written(f"def f(x, {body}\n", tmp_path)
    want = numeric_gradient(lambda x: function(x, *given), [X], 0, 1.0).value
    made: dict = {}
    exec(gradgen.emit(function), made)
    for gradient in (made["grad_f"], gradgen.grad(function)):
        np.testing.assert_allclose(gradient(X, *given), want, rtol=1e-7)

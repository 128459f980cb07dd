"""Loops over lists of points that are computed of constants stay loops, if shorter."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.3, -0.7, 1.1, 0.4])
PRELUDE = "    g = 1 / np.sqrt(3)\n    t = 0.0\n"
BODY = """        N = np.array([1 - a, 1 + a, 1 - b, 1 + b])
        J = np.sum(N * x)
        t += np.tanh(J * N) @ x * J
    return t
"""
LOOPS = {
    "points": "    points = [(-g, -g), (g, -g), (g, g), (-g, g), (0.0, g), (g, 0.0)]\n"
    "    for a, b in points:\n",
    "in place": "    for a, b in [(-g, -g), (g, -g), (g, g), (-g, g), (0.0, g), (0.5, 0.1)]:\n",
    "numbered": "    points = [(-g, -g), (g, -g), (g, g), (-g, g), (0.0, g), (g, 0.0)]\n"
    "    for k, (a, b) in enumerate(points):\n        t = t * k\n",
    "one each": "    for a in [-g, g, 0.5 * g, 2 * g, -2 * g]:\n        b = a * a\n",
    "called": "    points = [(np.cos(0.3), 0.5), (np.cos(0.6), g), (0.1, g), (g, g), (g, 1.0)]\n"
    "    for a, b in points:\n",
}


@pytest.mark.parametrize("name", LOOPS)
def test_points_are_gone_through_by_a_loop(name, tmp_path):
    function = written(f"def f(x):\n{PRELUDE}{LOOPS[name]}{BODY}", tmp_path)
    text = gradgen.emit(function, shapes={"x": "4"})
    made: dict = {}
    exec(text, made)
    want = numeric_gradient(function, [X], 0, 1.0).value
    np.testing.assert_allclose(made["grad_f"](X), want, rtol=1e-6)
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-6)
    lines = [line for line in text.splitlines() if "# Grad of" not in line]
    assert sum("np.tanh" in line for line in lines) == 1 and len(lines) < 50


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_value_keeps_its_dtype(dtype, tmp_path):
    function = written(f"def f(x):\n{PRELUDE}{LOOPS['points']}{BODY}", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function, shapes={"x": "4"}, value=True), made)
    x = X.astype(dtype)
    value, gradient = made["value_and_grad_f"](x)
    assert np.asarray(value).dtype == np.asarray(function(x)).dtype
    assert gradient.dtype == dtype


def test_points_of_the_argument_have_their_gradient(tmp_path):
    loop = (
        "    for a, b in [(x[0], g), (g, x[1]), (g, g), (x[2], x[3]), (0.1, x[0])]:\n"
    )
    function = written(f"def f(x):\n{PRELUDE}{loop}{BODY}", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function, shapes={"x": "4"}), made)
    want = numeric_gradient(function, [X], 0, 1.0).value
    np.testing.assert_allclose(made["grad_f"](X), want, rtol=1e-6)

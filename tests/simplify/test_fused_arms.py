"""Arms that go with the arms of their gradient read what they read where they stood."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X, C = np.array([0.3, 0.7, 1.1]), np.array([0.5, 0.9, 1.3])
LIST = "s = []\n    for i in range(len(c)):\n        s.append(c[i] ** 2)\n"
ARMS = (
    "    if k == 1:\n        y = np.tanh(x * {0})\n"
    "    else:\n        y = np.exp(x * {0}) + np.sqrt(1 + x * x * {0})\n"
)
# what is read in the arms, and what changes it before the way back
BODIES = {
    "grown": LIST + ARMS.format("s[-1]") + "    s.append(c[0] * c[1])\n"
    "    return np.sum(y * s[-1] * s[0])",
    "shrunk": LIST + ARMS.format("s[-1]") + "    w = s.pop()\n"
    "    return np.sum(y * w) + np.sum(x) * s[-1]",
    "stored": "u = c * 2.0\n" + ARMS.format("u") + "    u[0] = 3.0\n"
    "    return np.sum(y * u)",
    "scaled": "u = c * 2.0\n" + ARMS.format("u") + "    np.multiply(u, 3.0, out=u)\n"
    "    return np.sum(y * u)",
    "a view": "u = c * 2.0\n    v = u[::-1]\n" + ARMS.format("v") + "    u += c\n"
    "    return np.sum(y) + np.sum(x * u)",
}


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("told", [{}, {"x": "n", "c": "n"}], ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_what_changes_behind_the_arms(name, told, k, tmp_path):
    function = written(f"def f(x, c, k=1):\n    {BODIES[name]}\n", tmp_path)
    made: dict = {}
    text = gradgen.emit(function, shapes=told)
    exec(text, made)
    want = numeric_gradient(lambda x: function(x, C, k), [X], 0, 1.0).value
    for gradient in (made["grad_f"], gradgen.grad(function)):
        np.testing.assert_allclose(gradient(X, C, k), want, rtol=1e-6)
    assert text.count("    if k == 1:\n") == 2  # the arms stay where they stood


def test_what_only_the_gradient_reads_is_tested_once(tmp_path):
    body = ARMS.format("c").strip() + "\n    return np.sum(y)"
    function = written(f"def f(x, c, k=1):\n    {body}\n", tmp_path)
    text = gradgen.emit(function, shapes={"x": "n", "c": "n"})
    assert text.count("    if k == 1:\n") == 1
    both = gradgen.emit(function, shapes={"x": "n", "c": "n"}, value=True)
    assert both.count("    if k == 1:\n") == 2  # the value is returned


class Held:
    def __init__(self, vec):
        self.num, self.vec, self.pair = 1.5, vec, (1.0, 2.0)


def in_arms(x, p):
    if p.vec.dtype == np.float64:
        return np.sum(x**3)
    elif np.ndim(p.num) == 0:
        x = x * p.num
    return np.sum(x**2) * p.pair[1] + p.pair[0]


def test_an_arm_whose_values_are_read_between():
    """What the outer arms have handed on is read by more, once these are one."""
    names = {}
    exec(gradgen.emit(in_arms, "x"), names)
    x = np.array([1.0, 2.0])
    for vec in (x, x.astype(int)):
        want = numeric_gradient(lambda x: in_arms(x, Held(vec)), [x], 0).value
        found = names["grad_in_arms"](x, Held(vec))
        np.testing.assert_allclose(found, want, rtol=1e-6)

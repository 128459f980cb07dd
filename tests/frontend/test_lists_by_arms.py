"""Lists that are of another length in either arm of a branch: roots, events, parts.

What may be the same list under two names is refused once one of them changes.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

POINTS = {
    "two": np.array([1.0, 5.0, 2.0]),
    "two, of another sign": np.array([2.0, -7.0, 1.0]),
    "below zero": np.array([-1.0, 2.0, 0.5]),
    "none": np.array([1.0, 1.0, 3.0]),
}
ROOTS = """
def roots(a):
    d = a[1] * a[1] - 4 * a[0] * a[2]
    if d > 0:
        q = -0.5 * (a[1] + np.sqrt(d)) if a[1] > 0 else -0.5 * (a[1] - np.sqrt(d))
        return [q / a[0], a[2] / q]
    elif d == 0:
        return [-a[1] / (2 * a[0])]
    else:
        return list()


def f(a):
    {}
"""
RIGHT = {
    "gone over": "t = a[0]\nfor v in roots(a):\n    t = t + v**3\nreturn t",
    "summed, and counted": "r = roots(a)\nreturn sum(r) + len(r) * a[1]",
    "asked": "r = roots(a)\nif len(r) == 0:\n    return np.sum(a)\nreturn r[0] * r[-1]",
    "of arrays, changed": "r = [a * 2, a**2] if a[0] > 0 else [a]\nr[0] = r[0] * 3\n"
    "r.append(a)\nreturn np.sum(r[0] * r[-1] + r[1])",
    "in a loop": "s = 0.0\nfor i in range(len(a)):\n"
    "    r = [a[i], a[i] ** 2] if a[i] > 0 else [2 * a[i]]\n"
    "    for v in r:\n        s = s + v * a[0]\nreturn s",
    "from round to round": "r = []\nfor i in range(len(a)):\n    if a[i] > 0:\n"
    "        r = [a[i], a[i] ** 2]\n    else:\n        r = r + [a[i]]\nreturn sum(r)",
    "an array of it": "r = [a[1], a[0]] if a[0] > 0 else [a[2]]\n"
    "return np.sum(np.array(r) ** 2)",
    "of numbers": "r = [1.0, 2.0] if a[0] > 0 else [3.0]\nreturn sum(r) * np.sum(a)",
    "beside one that is filled": "r = [v for v in a if v > 0] if a[0] > 0 else [a[2]]\n"
    "return r[-1] * len(r)",
}
ALIASED = {
    "longer": "r.append(a[0])\nreturn p[-1] + q[-1]",
    "stored into": "r[0] = a[1]\nreturn p[0] + q[0]",
    "stored into the other": "p[0] = a[1]\nreturn r[0]",
}


def made(lines, tmp_path):
    return written(ROOTS.format(lines.replace("\n", "\n    ")), tmp_path)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("name", RIGHT)
def test_value_and_gradient(name, point, tmp_path):
    function, a = made(RIGHT[name], tmp_path), POINTS[point]
    want = numeric_gradient(function, (a.copy(),), 0, 1.0).value
    value, gradient = gradgen.value_and_grad(function)(a)
    np.testing.assert_allclose(value, function(a), rtol=1e-12)
    np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-9)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_f"](a), want, rtol=1e-6, atol=1e-9)
    along = np.array([1.0, 0.5, 0.25])
    pushed = gradgen.jvp(function)(a, along)[1]
    np.testing.assert_allclose(pushed, want @ along, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", ALIASED)
def test_two_names_of_one_list(name, tmp_path):
    head = "p = [a[0], a[1]]\nq = [a[2]]\nr = p if a[0] > 0 else q\n"
    with pytest.raises(gradgen.GradgenError, match="GG220"):
        gradgen.emit(made(head + ALIASED[name], tmp_path))

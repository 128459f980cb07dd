"""Texts for any rank where a number is read by a mask, by ... or by (), and stored into."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# what is read of y at a key that a number of NumPy's takes
KEYS = ["y < 0.2", "..., y < 0.2", "...", "()", "None", "np.isfinite(y)", "~(y < 0.2)"]
READ = {
    "once": "return np.sum(y * y) + np.sum(np.cos(y[{key}]))",
    "twice": "return np.sum(y * y) + np.sum(y[{key}]) + np.sum(y[y > 0.5] ** 2)",
    "named": "i = {key}\nreturn np.sum(y * y) * np.sum(y[i])",
    "in a loop": "s = 1.0\nfor k in range(3):\n    z = np.sin(k + y)\n"
    "    s = s + np.sum(z * z) * np.sum(z[{key}])\nreturn s",
    "in an arm": "if np.sum(y) > 0.3:\n    s = np.sum(y[{key}])\nelse:\n"
    "    s = np.sum(y[{key}] ** 3)\nreturn s + np.sum(y * y)",
    "stored": "z = np.copy(y * y)\nz[{key}] = np.cos(y[{key}])\nreturn np.sum(z * y)",
    "added": "z = np.zeros_like(y)\nz[{key}] += y[{key}] ** 2\n"
    "return np.sum(y * y) + np.sum(np.cos(z))",
    "cleared": "z = np.array(y * 3)\nz[{key}] = 0\nreturn np.sum(np.sin(y) * z)",
}
ARGUMENTS = [
    0.1,
    1.3,
    np.float64(0.1),
    np.array(1.3),
    np.array([0.1, 1.3]),
    np.array([[0.1, 1.3, -0.4]]),
]
PROGRAMS = list(itertools.product(READ, KEYS))


@pytest.mark.parametrize("name, key", PROGRAMS, ids=map("-".join, PROGRAMS))
def test_one_text_is_right_for_all_ranks(name, key, tmp_path):
    if name == "named" and key == "..., y < 0.2":
        key = f"({key})"
    lines = READ[name].format(key=key).replace("\n", "\n    ")
    f = written(f"def f(x):\n    y = np.sin(x)\n    {lines}\n", tmp_path)
    space = {}
    exec(gradgen.emit(f), space)
    taken = 0
    for x in ARGUMENTS:
        try:
            f(x)
        except (TypeError, IndexError):
            continue  # NumPy does not take it either
        want = numeric_gradient(f, (x,), 0).value
        got = space["grad_f"](x)
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
        assert np.shape(got) == np.shape(x)
        taken += 1
    assert taken >= 4


HANDLED = """def f(x):
    y = np.sin(x) * 2
    i = y < 0.5
    try:
        y[i] = y[i] ** 2
    except (AttributeError, TypeError):
        if i:
            y = y**3
    return np.sum(y * x)
"""


def test_a_store_that_a_number_would_be_handled_for(tmp_path):
    """The function cubes a number, and squares entries of an array."""
    f = written(HANDLED, tmp_path)
    space = {}
    exec(gradgen.emit(f), space)
    x = np.array([0.1, 1.2])
    want = numeric_gradient(f, (x,), 0).value
    np.testing.assert_allclose(space["grad_f"](x), want, rtol=1e-7)
    for number in (0.1, np.float64(1.2), np.array(0.1)):
        with pytest.raises(ValueError, match="numbers for y have no gradient here"):
            space["grad_f"](number)
        want = numeric_gradient(f, (number,), 0).value
        np.testing.assert_allclose(gradgen.grad(f)(number), want, rtol=1e-7)

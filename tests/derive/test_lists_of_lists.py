"""Lists in lists that a loop fills: their lists change places, and hvp goes along."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written
from tests.printer.test_views_in_filled_lists import V, X, along, slope

MADE = {
    "comprehensions": "L = [[x[i] * 2.0 for q in range(2)] for i in range(3)]",
    "appended": (
        "L = []\n    for i in range(3):\n        M = [x[i]]\n"
        "        for q in range(i + 1):\n            M.append(x[q] * i)\n"
        "        L.append(M)"
    ),
    "of the last": (
        "L = [[x[0], x[1] * 2.0]]\n    for i in range(1, 3):\n"
        "        L.append([L[-1][0] * 0.5, x[i] * L[-1][1]])"
    ),
}
CHANGED = {
    "not at all": "t = 0.0",
    "swapped": "L[0], L[2] = L[2], L[0]",
    "one of another": "L[2] = L[1]",
    "handed on": "for i in range(2):\n        L[i + 1] = L[i]",
    "made of another": "for i in range(3):\n        L[i] = [L[i - 1][1], L[i][0] ** 2]",
}
FORMS = list(itertools.product(MADE, CHANGED))


@pytest.mark.parametrize("form", FORMS, ids="; ".join)
def test_gradients_and_hvp(form, tmp_path):
    made, changed = form
    text = f"""
def f(x):
    {MADE[made]}
    {CHANGED[changed]}
    return np.sum(np.sin(L[0][1])) * np.sum(L[2][0] ** 2)
"""
    f = written(text, tmp_path)
    want = slope(f, X)
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(gradgen.hvp(f)(X, V), along(f), rtol=1e-5, atol=1e-5)
    names = {}
    exec(gradgen.emit(f, shapes={"x": "n m"}), names)
    np.testing.assert_allclose(names["grad_f"](X), want, rtol=1e-7, atol=1e-8)

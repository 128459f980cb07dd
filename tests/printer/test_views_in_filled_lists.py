"""An array whose views a loop has put into a list is not changed under them."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([[0.3, 0.9, -0.5, 0.7], [1.1, -0.4, 0.6, 0.2], [-0.8, 0.5, 0.4, 1.2]])
V = np.cos(np.arange(12.0)).reshape(3, 4)
FILLED = {
    "rows": "L = list(y)",
    "parts": "L = [y[k, 1:] for k in range(3)]",
    "columns": "L = [c for c in y.T]",
    "some": "L = []\n    for r in y:\n        L.append(r)\n        L.append(x[0])",
}
USED = {
    "product": "s = np.sum(L[0] * L[1])",
    "entries": "s = np.sum(L[2] ** 3) + L[0][1] * L[1][0]",
}
CHANGED = {
    "a row": "y[0] *= x[1]",
    "a slice": "y[:, 1:] = x[:, 1:] * y[:, :-1]",
    "each row": "for r in y:\n        r *= 2.0",
    "a diagonal": "for k in range(3):\n        y[k, k] += s * k",
}
FORMS = list(itertools.product(FILLED, USED, CHANGED))


def program(tmp_path, filled, used, changed):
    text = f"""
def f(x):
    y = np.sin(x)
    {FILLED[filled]}
    {USED[used]}
    {CHANGED[changed]}
    return np.sum(np.sin(y)) * s + np.sum(y[0] * y[2])
"""
    return written(text, tmp_path)


def slope(f, x, h=1e-3):
    """The gradient by differences of the fourth order."""
    result = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        e = np.zeros_like(x)
        e[place] = h
        near, far = f(x + e) - f(x - e), f(x + 2 * e) - f(x - 2 * e)
        result[place] = (8 * near - far) / (12 * h)
    return result


def along(f, h=1e-3):
    near = slope(f, X + h * V) - slope(f, X - h * V)
    far = slope(f, X + 2 * h * V) - slope(f, X - 2 * h * V)
    return (8 * near - far) / (12 * h)


@pytest.mark.parametrize("form", FORMS, ids="; ".join)
def test_products_with_the_hessian(form, tmp_path):
    f = program(tmp_path, *form)
    before = X.copy()
    np.testing.assert_allclose(gradgen.grad(f)(X), slope(f, X), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(gradgen.hvp(f)(X, V), along(f), rtol=1e-5, atol=1e-5)
    _, tangent = gradgen.jvp(f)(X, V)
    assert tangent == pytest.approx(np.sum(slope(f, X) * V), rel=1e-7)
    np.testing.assert_array_equal(X, before)


ROUNDS = {
    "made in each": ("", "y = np.sin(x)\n        "),
    "handed on": ("y = np.sin(x)\n    ", ""),
}


def in_rounds(tmp_path, rounds, filled, used, changed):
    before, first = ROUNDS[rounds]
    lines = "\n".join((FILLED[filled], "    " + USED[used], "    " + CHANGED[changed]))
    text = f"""
def f(x):
    t = 0.0
    {before}for turn in range(2):
        {first}{lines.replace(chr(10), chr(10) + "    ")}
        t += np.sum(np.sin(y)) * s + np.sum(y[0] * y[2])
    return t
"""
    return written(text, tmp_path)


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("form", FORMS, ids="; ".join)
def test_lists_that_rounds_keep(rounds, form, tmp_path):
    """What a round keeps of a list holds what its entries were then."""
    f = in_rounds(tmp_path, rounds, *form)
    want = slope(f, X, 2e-4)
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6, atol=1e-7)
    names = {}
    exec(gradgen.emit(f, shapes={"x": "n m"}), names)
    np.testing.assert_allclose(names["grad_f"](X), want, rtol=1e-6, atol=1e-7)

"""A line names two items of a value in one go only where the value has but these."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written
from tests.printer.test_views_in_filled_lists import X, slope

VALUES = {
    "real": "y.real",
    "part": "y[0:]",
    "sorted": "np.sort(y, axis=0)",
    "turned": "np.flip(y, 0)",
    "two rows": "y[:2]",
}
LINES = {
    "written": "p, q = {}[0], {}[1]",
    "the last": "p, q = {}[0], {}[-1]",
    "in a helper": "p, q = pair({})",
    "a lambda": "p, q = (lambda r: (r[1], r[0]))({})",
    "each": "p, q = [{}[i] for i in (0, 1)]",
}
FORMS = list(itertools.product(VALUES, LINES))


@pytest.mark.parametrize("form", FORMS, ids="; ".join)
def test_items_in_rounds(form, tmp_path):
    value, line = form
    text = f"""
def pair(r):
    return r[0], r[1]


def f(x, n=2):
    t = 0.0
    y = np.sin(x)
    for turn in range(n):
        {LINES[line].replace("{}", VALUES[value])}
        s = np.sum(np.sin(p)) * np.sum(q**2)
        np.multiply(y, 0.5 + 0.1 * s, out=y)
        t += s * s
    return t + np.sum(y**2)
"""
    f = written(text, tmp_path)
    want = slope(f, X)
    names = {}
    exec(gradgen.emit(f, shapes={"x": "n m"}), names)
    np.testing.assert_allclose(names["grad_f"](X), want, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7, atol=1e-8)


def test_results_stay_in_one_line(tmp_path):
    text = """
def f(x):
    y = np.sin(x)
    w, v = np.linalg.eigh(y + y.T)
    return np.sum(w * v[0] ** 2)
"""
    assert "w, v = np.linalg.eigh(" in gradgen.emit(written(text, tmp_path))

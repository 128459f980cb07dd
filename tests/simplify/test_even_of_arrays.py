"""Lists of equal adjoints, of an array that a list was made into, and that is summed."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written
from tests.printer.test_views_in_filled_lists import X, slope

LINES = {
    "products": "h = np.array([x[i] @ x[0] for i in range(3)])",
    "sums": "h = np.array([np.sum(np.sin(x[i])) for i in range(3)])",
    "appended": "h = []\n    for r in x:\n        h.append(np.sum(r**3))",
    "in rounds": (
        "h = x[0, :3]\n    for k in range(2):\n"
        "        h = np.array([x[i, :3] @ h + x[k, i] for i in range(3)])"
    ),
}
RESULTS = {
    "an array again": "np.sum(np.array(h))",
    "its half": "np.sum(np.asarray(np.array(h)) * 0.5)",
    "its mean": "np.mean(np.array(h))",
}


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("line", LINES)
def test_gradients(line, result, tmp_path):
    text = f"""
def f(x):
    {LINES[line]}
    return {RESULTS[result]}
"""
    f = written(text, tmp_path)
    want = slope(f, X)
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7, atol=1e-8)
    names = {}
    exec(gradgen.emit(f, shapes={"x": "n m"}), names)
    np.testing.assert_allclose(names["grad_f"](X), want, rtol=1e-7, atol=1e-8)

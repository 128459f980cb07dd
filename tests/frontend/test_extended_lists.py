"""x.extend(y) of arrays, in loops and outside, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

FORMS = {
    "rows in a loop": """
        out = []
        for row in X:
            out.extend(row * row[0])
        return np.sum(np.array(out) ** 2)""",
    "once": """
        out = [X[0, 0]]
        out.extend(X[1])
        out.extend(X[0] ** 2)
        return np.sum(np.array(out) * np.arange(1.0, 6.0))""",
    "vectors": """
        out = []
        out.extend(X)
        out.extend(np.sin(X))
        return np.sum(np.array(out) ** 3)""",
    "grown and read": """
        out = []
        for row in X:
            out.append(row[0])
            out.extend(row[1:] * 2)
        return sum(v * v for v in out) + out[-1] * len(out)""",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", [3, 25])
def test_gradient_with_nothing_told(form, rows, tmp_path):
    f = written(f"def f(X):{FORMS[form]}\n", tmp_path)
    X = np.random.default_rng(4).uniform(0.5, 2, (rows, 2))
    value, gradient = gradgen.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-12)
    wanted = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)


def test_the_rows_of_an_array_that_changes_later(tmp_path):
    text = """
    def f(X):
        X = X * 1.0
        out = []
        out.extend(X)
        X[0] = 2 * X[1]
        return np.sum(out[0] * out[1])
    """
    f = written(text, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG220"):
        gradgen.grad(f)(np.ones((3, 2)))

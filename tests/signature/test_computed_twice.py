"""What a statement computes twice is one value to the conventions."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

FORMS = ["(x - m) @ Q @ (x - m)", "np.dot(np.dot(x - m, Q), x - m)"]


@pytest.mark.parametrize("form", FORMS)
def test_a_quadratic_form_is_of_vectors(tmp_path, form):
    f = written(f"def f(x, m, Q):\n    return {form}\n", tmp_path)
    text = gradgen.emit(f)
    assert "x (n), m (" in text and "Q (n, n)" in text and "_matmul" not in text
    names: dict = {}
    exec(text, names)
    rng = np.random.default_rng(5)
    args = [rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3))]
    true = numeric_gradient(f, args, 0, np.ones(())).value
    np.testing.assert_allclose(names["grad_f"](*args), true, rtol=1e-6)

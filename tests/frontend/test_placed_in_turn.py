"""np.place of a list: its values in turn, and as many as entries are chosen."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([1.8, 0.7, 1.5, 0.6, 1.1])
VALUES = ["[1.0, 2.0]", "(3.0, 0.5, 2.0)", "[4.0]", "[x[0], 2.0]", "[1.0] * 3"]


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("mask", ["x > 1", "x > 9", "x > 0", "x < 0.65", "mask"])
def test_the_gradient_is_that_of_the_values_that_are_taken(tmp_path, values, mask):
    source = f"""
    def f(x, mask):
        y = x.copy()
        np.place(y, {mask}, {values})
        return y * x
    """
    f = written(source, tmp_path)
    given = np.array([True, False, False, True, True])
    seed = np.cos(np.arange(5.0))
    true = numeric_gradient(f, [X, given], 0, seed).value
    value, found = gradgen.value_and_grad(f)(X, given, seed=seed)
    np.testing.assert_array_equal(value, f(X, given))
    np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
    names: dict = {}
    exec(gradgen.emit(f, shapes={"x": "n", "mask": "n:bool"}), names)
    np.testing.assert_allclose(
        names["grad_f"](X, given, seed), true, rtol=1e-6, atol=1e-8
    )

"""Texts with nothing told, of integers of a byte: products overflow as the primal's."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

FUNCTIONS = {
    "k * k * x": lambda x, k: np.sum(k * k * x),
    "(k * 3) * x * k": lambda x, k: np.sum((k * 3) * x * k),
    "k * (k * x)": lambda x, k: np.sum(k * (k * x)),
    "x * k * k": lambda x, k: np.sum(x * k * k),
    "x * k**2": lambda x, k: np.sum(x * k**2),
    "x * -k": lambda x, k: np.sum(x * -k),
    "x * (k + k)": lambda x, k: np.sum(x * (k + k)),
    "100 * k * x": lambda x, k: np.sum(100 * k * x),
    "2 * k * x / k": lambda x, k: np.sum(2 * k * x / k),
    "k * x - k * k * x": lambda x, k: np.sum(k * x - k * k * x),
    "arctan2(x, k)": lambda x, k: np.sum(np.arctan2(x, k)),
}


@pytest.mark.parametrize("form", FUNCTIONS)
def test_integers_are_multiplied_as_the_primal_does(form):
    space = {}
    exec(gradgen.emit(FUNCTIONS[form], wrt="x"), space)
    (grad,) = (space[name] for name in space if name.startswith("grad_"))
    x = np.array([0.7, 1.2, 2.4])
    for sort in (np.uint8, np.int8, np.int16, np.int64):
        k = np.array([100, 7, 120], sort)
        want = numeric_gradient(FUNCTIONS[form], [x, k], 0).value
        np.testing.assert_allclose(grad(x, k), want, rtol=1e-6)

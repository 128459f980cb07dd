"""Sums of quotients that a mask chooses, beside sums of the whole: nothing moves there."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

SOURCE = """
def f(Y):
    n = Y.shape[0]
    P = {weights}
    Q = 1 / (1 + np.sum((Y[:, None] - Y[None]) ** 2, axis=-1))
    {cleared}
    {normed}
    mask = P > 0
    return np.sum({chosen})
"""
WEIGHTS = ["np.abs(np.arange(n)[:, None] - np.arange(n))", "1 - np.eye(n)"]
CLEARED = [
    "Q[np.diag_indices(n)] = 0",
    "np.fill_diagonal(Q, 0)",
    "Q = Q * (1 - np.eye(n))",
]
NORMED = ["Q = Q / Q.sum()", "Q = Q / Q.sum(axis=1, keepdims=True)", "Q /= np.max(Q)"]
CHOSEN = ["P[mask] * np.log(P[mask] / Q[mask])", "P[mask] / Q[mask]"]


@pytest.mark.parametrize("chosen", CHOSEN)
@pytest.mark.parametrize("normed", NORMED)
@pytest.mark.parametrize("cleared", CLEARED)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_masked_quotients(weights, cleared, normed, chosen, tmp_path):
    text = SOURCE.format(weights=weights, cleared=cleared, normed=normed, chosen=chosen)
    f = written(text, tmp_path)
    Y = np.random.default_rng(0).normal(size=(4, 2))
    wanted = numeric_gradient(f, [Y], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(Y), wanted, 1e-5, 1e-7)

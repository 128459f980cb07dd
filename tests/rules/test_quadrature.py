"""Nodes and weights of quadrature rules: arrays that an integer alone tells."""

import numpy as np
import pytest
from scipy import special

import gradgen
from tests.frontend.writing import written

RULES = [
    "np.polynomial.legendre.leggauss",
    "np.polynomial.chebyshev.chebgauss",
    "np.polynomial.laguerre.laggauss",
    "np.polynomial.hermite.hermgauss",
    "np.polynomial.hermite_e.hermegauss",
    "special.roots_legendre",
    "special.roots_sh_legendre",
    "special.roots_hermite",
    "special.roots_hermitenorm",
    "special.roots_laguerre",
    "special.roots_chebyt",
    "special.roots_chebyu",
]
TEXT = """
from scipy import special

def of_both(a, n=6):
    x, w = {rule}(n)
    return np.sum(w * np.cos(a * x))

def of_nodes(a):
    return np.sum(np.sin(a * {rule}(len(a))[0]) * a)
"""


@pytest.mark.parametrize("rule", RULES)
def test_value_and_gradient(rule, tmp_path):
    text = TEXT.format(rule=rule)
    of_both = written(text, tmp_path, "both", "of_both")
    of_nodes = written(text, tmp_path, "nodes", "of_nodes")
    x, w = eval(rule, {"np": np, "special": special})(6)
    value, slope = gradgen.value_and_grad(of_both)(0.4)
    np.testing.assert_allclose(value, np.sum(w * np.cos(0.4 * x)), rtol=1e-12)
    np.testing.assert_allclose(slope, -np.sum(w * x * np.sin(0.4 * x)), rtol=1e-12)
    a = np.linspace(0.2, 0.9, 6)
    _, slopes = gradgen.value_and_grad(of_nodes)(a)
    assert slopes.shape == a.shape
    wanted = np.sin(a * x) + a * x * np.cos(a * x)
    np.testing.assert_allclose(slopes, wanted, rtol=1e-12)


def test_the_text_with_nothing_told_runs_alone(tmp_path):
    rule = "np.polynomial.legendre.leggauss"
    of_both = written(TEXT.format(rule=rule), tmp_path, "alone", "of_both")
    space: dict[str, object] = {}
    exec(gradgen.emit(of_both), space)
    x, w = np.polynomial.legendre.leggauss(6)
    found = space["grad_of_both"](0.4)
    np.testing.assert_allclose(found, -np.sum(w * x * np.sin(0.4 * x)), rtol=1e-12)

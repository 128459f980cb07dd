"""Powers whose exponent has a name: a base that the slope is multiplied by is taken up."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def masked(x, scale, p):
    return np.where(x < scale, (x / scale) ** p, 1.0)[x > 0].sum()


def quotients(x, scale, p):
    return np.sum((x / scale) ** p)


def products(x, scale, p):
    return np.sum((scale * x) ** p)


def scaled(x, scale, p):
    return scale * np.sum(x**p * x)


def hazards(x, log_k, scale):
    k = np.exp(log_k)
    z = x / scale
    return np.sum(z**k - (k - 1) * np.log(z))


FUNCTIONS = (masked, quotients, products, scaled)
EXPONENTS = (0.75, 1.0, 2.0, 2.5, 0.0, -1.5, 3, 0)
X = np.array([2.0, 5.0, 1.0])


@pytest.mark.parametrize("p", EXPONENTS)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_measured(f, p):
    for args in ((X, 3.0, p), (X, np.array([1.5, 3.0, 6.0]), p), (X, 3.0, p + 0 * X)):
        if f is scaled and np.ndim(args[1]):
            continue
        for wrt in (0, 1):
            found = gradgen.grad(f, wrt=wrt)(*args)
            want = numeric_gradient(f, args, wrt).value
            assert np.shape(found) == np.shape(args[wrt])
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [masked, quotients], ids=lambda f: f.__name__)
def test_finite_where_the_base_is_zero(f):
    x = np.array([0.0, *X])
    space: dict = {}
    exec(gradgen.emit(f, "scale"), space)
    for p in (0.75, 1.5):
        want = numeric_gradient(f, (x, 3.0, p), 1).value
        for slope in (gradgen.grad(f, wrt="scale"), space[f"grad_{f.__name__}"]):
            np.testing.assert_allclose(slope(x, 3.0, p), want, rtol=1e-6)


def test_the_power_of_the_function_and_no_other():
    told = {"x": "n", "log_k": "", "scale": ""}
    text = gradgen.emit(hazards, ("log_k", "scale"), shapes=told)
    assert "k * z**k" in text and "!=" not in text, text
    for wrt, args in ((1, (X, 0.3, 2.0)), (2, (X, 0.3, 2.0))):
        found = gradgen.grad(hazards, wrt=wrt)(*args)
        want = numeric_gradient(hazards, args, wrt).value
        np.testing.assert_allclose(found, want, rtol=1e-6)

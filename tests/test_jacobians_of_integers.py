"""Jacobians of numbers whose adjoints begin as integers or masks: no fraction is lost.

The seed of a gradient makes floats of them; a Jacobian has none.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.6, -0.3, 1.2])
COUNTS = np.array([1, 2, 3])


def where(x):
    return np.sum(np.where(x > 0, 1, 2) * x) + 0.5 * x[0]


def select(x):
    return np.sum(np.select([x > 0], [1], 3) * x) + 0.5 * x[0]


def mask_squared(x):
    return np.sum((x > 0) ** 2 * x) + 0.5 * x[0]


def power_of_mask(x):
    return np.sum(np.power(x > 0, 2) * x) + np.sum(np.diff(x) * 0.3)


def slices(x):
    return np.sum(np.where(x > 0, 1, 2) * x) + np.sum(x[1:] * 0.5)


def product(x):
    return np.where(x > 0, 1, 2) @ x + 0.5 * x[1]


def order(x):
    return np.sum(np.argsort(x) * x) + 0.5 * x[0]


def counts(x, w=COUNTS):
    return w @ x + 0.5 * x[0]


def of_mask(x, w=COUNTS > 1):
    return np.sum(np.where(w > 0, w, 1) * x) + 0.5 * x[0]


def rounded(x):
    return np.sum(np.round(x).astype(int) * x) + 0.5 * x[0]


@pytest.mark.parametrize("shapes", [None, {"x": "n"}, {"x": "3"}])
@pytest.mark.parametrize(
    "function",
    [
        *(where, select, mask_squared, power_of_mask, slices, product),
        *(order, counts, of_mask, rounded),
    ],
)
def test_no_fraction_is_lost(function, shapes):
    want = numeric_gradient(function, [X], 0).value
    if shapes is None:
        found = gradgen.jacobian(function)(X)
    else:
        names = {}
        exec(gradgen.emit(function, mode="jacobian", shapes=shapes), names)
        found = names[f"jacobian_{function.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6)
    assert found.dtype == X.dtype


def weighed(x, w):
    return np.sum(w * x) + 0.5 * x[0]


@pytest.mark.parametrize("sort, other", [("f4", "f8"), ("f8", "f4")])
def test_a_jacobian_has_the_dtype_of_its_argument(sort, other):
    x, w = X.astype(sort), COUNTS.astype(other)
    jacobian, hessian = gradgen.jacobian(weighed), gradgen.hessian(weighed)
    for _ in range(3):
        assert jacobian(x, w).dtype == x.dtype
        assert hessian(x, w).dtype == x.dtype
    np.testing.assert_allclose(jacobian(x, w), w + [0.5, 0, 0], rtol=1e-6)

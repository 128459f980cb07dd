"""Hessians times vectors where axes have the length 1: shapes in tuples of constants."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def kron(x, y):
    return np.sum(np.kron(x, y) ** 3)


def product(x, y):
    return np.sum(np.outer(x, y) ** 3)


def tiled(x, y):
    return np.sum(np.tile(x, (2, 1)) ** 3) * np.sum(y)


def blocks(x, y):
    return np.sum(np.kron(np.kron(y, x), x) ** 2)


@pytest.mark.parametrize("form", [kron, product, tiled, blocks])
@pytest.mark.parametrize(
    "shapes", [((1, 3), (2, 1)), ((2, 1), (1, 1)), ((2, 3), (1, 2))]
)
def test_hessian_times_vector(form, shapes):
    rng = np.random.default_rng(4)
    x, y = (rng.uniform(0.5, 1.0, shape) for shape in shapes)
    v = rng.uniform(-1.0, 1.0, x.shape)
    try:
        found = gradgen.hvp(form, wrt="x")(x, y, v)
    except gradgen.GradgenError as refusal:
        assert refusal.code == "GG316"  # a derivative that the rule has not
        return
    step = 1e-5
    ahead, behind = (
        numeric_gradient(form, [x + s * v, y], 0).value for s in (step, -step)
    )
    np.testing.assert_allclose(found, (ahead - behind) / (2 * step), rtol=1e-4)

"""A factor cancels in a product of a quotient whose parts have no names."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(19)
A, B = DRAWN.normal(0, 1, (2, 5))


def cosine(a, b):
    return 1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


def cosine_of_roots(a, b):
    return np.sum(a * b) / (np.sqrt(np.sum(a * a)) * np.sqrt(np.sum(b * b)))


def thrice(a, b):
    return np.log(np.sum(a * a) * np.sum(b * b) / (np.sum(a**4) * np.sum(b**4)))


def of_sums(a, b):
    return np.sum(np.exp(a)) / (np.sum(np.exp(b)) * np.sum(np.cos(a) + 2)) ** 2


CASES = [cosine, cosine_of_roots, thrice, of_sums]
SHAPES = {"a": "n", "b": "n"}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    found = gradgen.grad(f, wrt=("a", "b"), shapes=shapes)(A, B)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [A, B], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-9)


def test_no_factor_stands_above_and_below():
    text = gradgen.emit(cosine, wrt=("a", "b"), shapes=SHAPES)
    assert "(ab / a_norm / a_norm * a - b)" in text, text
    assert "* b_norm / a_norm" not in text, text


def of_a_long_product(x, y, w):
    """Some parts of v have names of their own, others have gone back into the line."""
    c = w + x
    k = 0.6
    # fmt: off
    v = (1 + 0.01 * w) * (1 + 0.01 * y) * (1 + 0.01 * x) * (1 + 0.01 * w) \
        * (1 + 0.01 * k) * (1 + 0.01 * c) * (1 + 0.01 * k) * (1 + 0.01 * c) \
        * (1 + 0.01 * c) * (1 + 0.01 * w) * 0.01 * (0.01 * x)
    # fmt: on
    half = 0.5 * (v + 0.0)
    t = np.cos(np.tanh(v))
    u = 0.5 * np.tanh(t * v) + 0.5 * t
    return np.sum(x + y + w + k + c + v + half + t + u)


@pytest.mark.parametrize("shapes", [{}, {"x": "n", "y": "n", "w": "n"}])
def test_what_has_no_name_any_more_is_not_read(shapes):
    x, y, w = DRAWN.normal(0, 1, (3, 5))
    truth = numeric_gradient(of_a_long_product, [x, y, w], 0).value
    names: dict = {}
    exec(gradgen.emit(of_a_long_product, wrt="x", shapes=shapes), names)
    found = names["grad_of_a_long_product"](x, y, w)
    np.testing.assert_allclose(found, truth, rtol=1e-6, atol=1e-9)

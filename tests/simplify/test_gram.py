"""A matrix and its transpose are added where both multiply the same matrix."""

import numpy as np
import pytest

import gradgen


def rows(x, w):
    return np.sum(w * (x @ x.T) ** 2)


def columns(x, w):
    return np.sum(w * (x.T @ x))


def scaled(x, w):
    return np.sum(np.exp(w - 2 * (x @ x.T)))


def of_a_vector(x, w):
    return np.sum(w * np.outer(x, x))


def of_two(x, w):
    return np.sum(w * (x @ w.T) * (w @ x.T))


CASES = [(rows, (3, 2), (3, 3)), (columns, (3, 2), (2, 2)), (scaled, (3, 2), (3, 3))]
CASES += [(of_a_vector, (3,), (3, 3)), (of_two, (3, 3), (3, 3))]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "function, shape, of_w", CASES, ids=lambda c: getattr(c, "__name__", "")
)
def test_the_gradient(function, shape, of_w, known):
    random = np.random.default_rng(0)
    x, w = random.normal(size=shape), random.normal(size=of_w)
    letters = {2: "m", 3: "n"}
    facts = {
        "x": " ".join(letters[n] for n in shape),
        "w": " ".join(letters[n] for n in of_w),
    }
    gradient = gradgen.grad(function, "x", shapes=facts if known else None)
    want = np.zeros(shape)
    for place in np.ndindex(shape):
        step = np.zeros(shape, complex)
        step[place] = 1e-30j
        want[place] = function(x + step, w).imag / 1e-30
    assert np.allclose(gradient(x, w), want, rtol=1e-12), gradient.source


@pytest.mark.parametrize("function, product", [(rows, "(d_xxT + d_xxT.T) @ x")])
def test_one_product(function, product):
    text = gradgen.emit(function, "x", shapes={"x": "n m", "w": "n n"})
    assert f"    d_x = {product}\n" in text

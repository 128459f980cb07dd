"""A product that the user has named is read again, also inside of a sum."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(3)
X = DRAWN.normal(0, 1, (5, 3))
V = DRAWN.uniform(0.5, 1.5, 3)
K = np.array(1.3)


def scaled_gaps(x, v, k):
    scaled = (x - v) * np.exp(-v)
    return np.sum(scaled**2) + np.sum(v)


def of_rows(x, v, k):
    wide = x * np.exp(v)
    return np.sum(np.tanh(wide[:, :, None] * v))


def discounted(x, v, k):
    value = np.exp(-k) * np.mean(x**2)
    return value


def kernel(x, v, k):
    gaps = (x[:, None, :] - x[None, :, :]) / v
    rbf = k**2 * np.exp(-0.5 * np.sum(gaps * gaps, axis=-1))
    return np.sum(np.log(1 + rbf))


def stored_into(x, v, k):
    scaled = x * np.exp(v)
    total = np.sum(scaled**2)
    scaled[0] = 0.0
    return total + np.sum(scaled * x)


def in_rounds(x, v, k):
    total = 0.0
    for i in range(len(x)):
        scaled = x[i] * np.exp(v)
        total += np.sum(scaled**3)
    return total


def carried_on(x, v, k):
    path = v
    total = 0.0
    for i in range(len(x)):
        path = path * np.exp(k * x[i])
        total += np.sum(path)
    return total


CASES = [carried_on, scaled_gaps, of_rows, discounted, kernel, stored_into, in_rounds]
SHAPES = {"x": "n m", "v": "m", "k": ""}
READ = {
    carried_on: "= d_path * path\n",
    scaled_gaps: "np.sum(d_scaled * scaled, axis=0)",
    discounted: "d_k = -d_value * value",
    kernel: "(d_rbf * rbf)[:, :, None]",
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
@pytest.mark.parametrize("value", [True, False])
def test_as_differences(f, shapes, value):
    make = gradgen.value_and_grad if value else gradgen.grad
    found = make(f, wrt=("x", "v", "k"), shapes=shapes)(X, V, K)
    gradients = found[1] if value else found
    if value:
        np.testing.assert_allclose(found[0], f(X.copy(), V, K), rtol=1e-12)
    for at, gradient in enumerate(gradients):
        truth = numeric_gradient(f, [X, V, K], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", READ, ids=lambda f: f.__name__)
def test_read_again(f):
    text = gradgen.emit(f, wrt=("x", "v", "k"), shapes=SHAPES, value=True)
    assert READ[f] in text, text


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_forward_mode(f):
    """There the statements of the primal stand between the others."""
    direction = np.cos(np.arange(X.size)).reshape(X.shape)
    made = gradgen.jvp(f, "x", shapes=SHAPES)(X, V, K, direction)
    truth = np.sum(numeric_gradient(f, [X, V, K], 0).value * direction)
    np.testing.assert_allclose(made[1], truth, rtol=1e-5)

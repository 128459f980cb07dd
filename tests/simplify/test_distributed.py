"""What a product cancels in a sum is not computed; parts and sums read as by hand."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(11)
Z = DRAWN.normal(0, 1, 6)
SHARES = DRAWN.uniform(0.1, 0.9, 6)
TABLE = DRAWN.normal(0, 1, (6, 3))
CHOSEN = DRAWN.uniform(0.1, 0.9, (6, 3))


def log_loss(z, y):
    p = 1 / (1 + np.exp(-z))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def log_loss_in_parts(z, y):
    p = 1 / (1 + np.exp(-z))
    hit = y * np.log(p)
    miss = (1 - y) * np.log(1 - p)
    loss = -np.sum(hit + miss) / len(y)
    return loss


def weighted_log_loss(z, y):
    p = 1.0 / (1.0 + np.exp(-z))
    return -np.sum(3 * y * np.log(p) + 2 * (1 - y) * np.log(1 - p))


def cross_entropy(z, y):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(y * np.log(p)) / z.shape[0]


def cross_entropy_of_means(z, y):
    e = np.exp(z)
    p = e / np.sum(e, axis=1, keepdims=True)
    loss = np.mean(-np.sum(y * np.log(p), axis=1))
    return loss


def ratios(z, y):
    a = np.exp(z)
    b = a + y
    return np.sum(y * np.log(a / b) + (1 + y) * np.log(b))


CASES = [
    (log_loss, Z, SHARES, "n"),
    (log_loss_in_parts, Z, SHARES, "n"),
    (weighted_log_loss, Z, SHARES, "n"),
    (cross_entropy, TABLE, CHOSEN, "n c"),
    (cross_entropy_of_means, TABLE, CHOSEN, "n c"),
    (ratios, Z, SHARES, "n"),
]
NAMES = [case[0].__name__ for case in CASES]
CANCELLED = {
    log_loss: "d_z = d_out / len(z) * (p - y)",
    log_loss_in_parts: "d_z = d_loss / len(y) * (p - y)",
    cross_entropy: "* (np.sum(y, axis=1, keepdims=True) * p - y)",
}


@pytest.mark.parametrize("f, z, y, axes", CASES, ids=NAMES)
@pytest.mark.parametrize("told", [True, False])
def test_as_differences(f, z, y, axes, told):
    shapes = {"z": axes, "y": axes} if told else {}
    found = gradgen.grad(f, wrt=("z", "y"), shapes=shapes)(z, y)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [z, y], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f, z, y, axes", CASES, ids=NAMES)
@pytest.mark.parametrize("labels", [np.uint8, np.int64, bool])
def test_integers_stay(f, z, y, axes, labels):
    """1 - y of bytes is 255 for a 2: no sum of integers is written out."""
    y = (np.arange(y.size).reshape(y.shape) % 3).astype(labels)
    found = gradgen.grad(f, wrt="z")(z, y)
    truth = numeric_gradient(lambda z: f(z, y), [z], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", CANCELLED, ids=lambda f: f.__name__)
def test_cancelled(f):
    axes = next(case[3] for case in CASES if case[0] is f)
    text = gradgen.emit(f, wrt="z", shapes={"z": axes, "y": axes})
    assert CANCELLED[f] in text, text


@pytest.mark.parametrize("f", [log_loss, log_loss_in_parts])
def test_finite_where_the_share_is_one(f):
    """The quotient by 1 - p is not there: p is 1 for z = 60."""
    z = np.array([60.0, 0.5, -0.25])
    y = np.array([1.0, 1.0, 0.0])
    gradient = gradgen.grad(f, wrt="z", shapes={"z": "n", "y": "n"})(z, y)
    truth = (1 / (1 + np.exp(-z)) - y) / 3
    np.testing.assert_allclose(gradient, truth, rtol=1e-12)

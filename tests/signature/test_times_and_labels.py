"""What t is, and y beside logarithms of probabilities, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(12)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def transposed(theta, X, y, _lambda):
    h = sigmoid(np.dot(X, theta.T))
    cost = np.dot(-y, np.log(h)) - np.dot(1 - y, np.log(1 - h))
    return (cost + _lambda / 2 * np.sum(theta[1:] ** 2)) / len(X)


def plain(theta, X, y, lambda_):
    h = sigmoid(X @ theta)
    cost = np.dot(y, np.log(h)) + np.dot(1 - y, np.log(1 - h))
    return -cost / len(y) + lambda_ * np.sum(theta**2)


def turned(theta, X, y, lam):
    h = sigmoid(X.dot(theta))
    cost = -y.T.dot(np.log(h)) - (1 - y).T.dot(np.log(1 - h))
    return cost / len(y) + lam * np.sum(theta[1:] ** 2)


@pytest.mark.parametrize("function", [transposed, plain, turned])
def test_what_was_observed_is_a_vector(function):
    text = gradgen.emit(function)
    assert "theta is a vector, X is a matrix, y is a vector" in " ".join(text.split())
    assert "def _" not in text
    args = R.normal(size=3), R.normal(size=(5, 3)), np.array([0, 1, 1, 0, 1]), 0.3
    space: dict = {}
    exec(text, space)
    found = space[f"grad_{function.__name__}"](*args)
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def damped(y, t, g):
    a = np.dot(y, y) + g
    return np.tanh(y / a) * t - g * np.sin(y)


def stepped(y, t, g):
    k1 = damped(y, t, g)
    k2 = damped(y + 0.05 * k1, t + 0.1, g)
    return y + k1 + damped(y + 0.1 * k2, t + 0.1, g)


def first(t, y):
    z = y / np.sqrt(y @ y) * t
    return z @ z + y[0]


@pytest.mark.parametrize("time", [0.4, np.array([0.4, 0.7, 0.1])])
def test_a_time_is_a_number_or_one_for_each(time):
    for function, args in ((stepped, (V, time, 0.3)), (first, (time, V))):
        space: dict = {}
        exec(gradgen.emit(function, wrt="y"), space)
        place = int(function is first)
        seed = np.ones(np.shape(function(*args)))
        found = space[f"grad_{function.__name__}"](*args, d_out=seed)

        def total(*own, function=function):
            return np.sum(function(*own))

        want = numeric_gradient(total, args, place).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


V = np.array([0.3, 0.9, -0.4])


def held(y, t):
    """Without a sign of time t is what y is held against."""
    z = np.tanh(y) * t
    return np.dot(z, z)


def test_what_is_asked_is_the_vector_and_not_what_it_is_multiplied_with():
    text = gradgen.emit(held, wrt="y")
    assert "y is a vector" in text and "def _" not in text

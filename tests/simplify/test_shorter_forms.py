"""Means, products of vectors, factors of choices and quotients, as people write them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def centred(x, w):
    return np.sum((x - np.mean(x, axis=0)) ** 3)


def centred_rows(x, w):
    mean = np.mean(x, axis=1, keepdims=True)
    gap = x - mean
    return np.sum(np.tanh(gap) * w)


def standardised(x, w):
    mean = np.mean(x)
    gap = x - mean
    return np.sum(gap**3 / np.sqrt(np.mean(gap**2) + 1))


def weighted(x, w):
    return np.sum(x @ w * np.sin(np.sum(w * w)))


def scaled_rows(x, w):
    row = x[0] * np.exp(w[0])
    return np.sum(row**2)


def by_steps(x, w):
    total = 0.0
    for i in range(1, len(x)):
        total = np.tanh(total + np.sum(x[i] * np.exp(w)))
    return total


def quantile(x, w):
    error = x - w
    return np.mean(np.maximum(0.3 * error * error, -0.7 * error))


def by_pieces(x, w):
    return np.sum(np.where(x > 0.01, w * x * x, w * np.sin(x)))


def of_three(x, w):
    return np.sum(np.where(x > 0.5, w * x, np.where(x < -0.5, -w * x, w * x**2)))


def quotient(x, w):
    scale = 1 + np.sum(x * x, axis=1, keepdims=True)
    ratio = x / scale
    return np.sum(ratio * w) + np.sum(ratio**2)


def shared(x, w):
    below = np.exp(w)
    return np.sum(x / below) ** 2 + np.sum(np.sin(x) / below)


def entries(x, w):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = (x[i, 0] - 0.3 * y[i - 1] ** 2) / (2 + np.sin(y[i - 1]))
    return np.sum(y**2)


MEANS = [centred, centred_rows, standardised]
DOTS = [weighted, scaled_rows, by_steps]
CHOICES = [quantile, by_pieces, of_three]
QUOTIENTS = [quotient, shared, entries]
TOLD = {"x": "n m", "w": "m"}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("told", [TOLD, None], ids=["told", "nothing"])
@pytest.mark.parametrize(
    "function", MEANS + DOTS + CHOICES + QUOTIENTS, ids=lambda f: f.__name__
)
def test_the_gradient(function, told, dtype):
    random = np.random.default_rng(5)
    x, w = random.normal(size=(4, 3)), random.normal(size=3)
    found = gradgen.grad(function, ("x", "w"), shapes=told)(
        x.astype(dtype), w.astype(dtype), seed=dtype(0.6)
    )
    for at, gradient in enumerate(found):
        truth = numeric_gradient(function, [x, w], at, 0.6).value
        assert gradient.dtype == dtype and gradient.shape == truth.shape
        room = 1e-7 if dtype is np.float64 else 2e-4
        np.testing.assert_allclose(gradient, truth, rtol=room, atol=room)


@pytest.mark.parametrize("function", MEANS, ids=lambda f: f.__name__)
def test_a_sum_over_its_length_is_a_mean(function):
    text = gradgen.emit(function, "x", shapes=TOLD)
    back = text[text.index("# Grad of") :]
    assert "np.mean(" in back and "/ len(x)" not in back and "d_mean" not in back


@pytest.mark.parametrize("function", CHOICES[1:2], ids=lambda f: f.__name__)
def test_a_factor_stands_before_a_choice(function):
    text = gradgen.emit(function, "x", shapes=TOLD)
    (line,) = [one for one in text.splitlines() if "np.where(" in one and "d_" in one]
    assert "d_" not in line.partition("np.where(")[2]


def test_vectors_are_multiplied():
    text = gradgen.emit(scaled_rows, "w", shapes=TOLD)
    back = [line for line in text.splitlines() if " d_" in line and "#" not in line]
    assert any("d_row @ " in line for line in back)
    assert not any("np.sum(" in line for line in back)


def test_the_adjoint_of_a_quotient_is_read_again():
    text = gradgen.emit(entries, "x", shapes=TOLD)
    back = text[text.index("reversed") :]
    back = "".join(line for line in back.splitlines() if "#" not in line)
    assert back.count(" / ") == 1


def inverse_cube(x, w):
    gap = x - w
    squares = np.sum(gap * gap, axis=1) + 1
    return np.sum(1 / squares**3)


def potential(x, w):
    total = 0.0
    for i in range(len(x)):
        s = x[i] @ w + 9
        total += 4 * (s**-12 - (1 / s**2) ** 3)
    return total


def cube(x, w):
    return np.sum((x * w) ** 2 / (1 + x**2) ** 3)


@pytest.mark.parametrize("function", [inverse_cube, potential, cube])
def test_powers_cancel(function):
    random = np.random.default_rng(5)
    x, w = random.normal(size=(4, 3)), random.normal(size=3)
    found = gradgen.grad(function, ("x", "w"), shapes=TOLD)(x, w)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(function, [x, w], at, 1.0).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-7, atol=1e-7)
    if function is inverse_cube:
        text = gradgen.emit(function, "x", shapes=TOLD)
        assert "squares**2" not in text


def test_a_gradient_is_called_as_what_it_is_returned_for():
    text = gradgen.emit(lambda_free, ("Q", "R"), shapes={"Q": "n n", "R": "n n"})
    assert "return d_Q, d_R" in text


def lambda_free(Q, R):
    P = Q + 1
    S = P @ P + R
    return np.sum(np.sin(S))

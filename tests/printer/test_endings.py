"""What a round hands on has the name that it is handed on under, at once."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(8)
F, G = (0.6 * DRAWN.normal(size=(3, 3)) for _ in range(2))
X, U, V = (DRAWN.normal(size=3) for _ in range(3))
P = DRAWN.normal(size=(3, 3))


def covariances(F, P, x):
    total = 0.0
    for _ in range(3):
        x = F @ x
        P = F @ P @ F.T + np.eye(3)
        total = total + x @ P @ x
    return total


def turned(F, P, x):
    for _ in range(3):
        x = np.sin(F @ x)
        P = F.T @ P @ F
    return np.sum(x) + np.sum(P**2)


def stored(F, P, x):
    x = x.copy()
    for t in range(3):
        P = F @ P
        x[t] = np.sum(P * F) + x[t - 1]
        x = x * F[0]
    return np.sum(x * np.sin(P[0]))


def swapped(F, P, x):
    for _ in range(3):
        y = 2 * F @ P - P @ np.diag(x)
        F, P = y, F
    return np.sum(F**2) + np.sum(P)


def nested(F, P, x):
    for i in range(2):
        for j in range(2):
            x = F @ x + P[i]
            P = F @ P * x[j]
        P = np.tanh(P)
    return np.sum(P) + np.sum(x)


def in_place(F, P, x):
    P = P.copy()
    for t in range(3):
        after = 2 * P
        after[1:] += F[1:] * P[:-1]
        after[t] *= x
        P, F = after, P
    return np.sum(P**2) + np.sum(F)


def updated(F, P, x):
    for _ in range(2):
        x = F @ x
        P = F @ P @ F.T
        x = x + 0.1 * np.sin(P @ x)
        P = P - 0.01 * P @ P
    return np.sum(P**2) + np.sum(x)


CASES = [updated, covariances, turned, stored, swapped, nested, in_place]
SHAPES = {"F": "3 3", "P": "3 3", "x": "3"}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("save", ["values", "state"])
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
def test_gradients_are_those_of_differences(f, save, shapes):
    wrt = ("F", "P", "x")
    found = gradgen.grad(f, wrt=wrt, shapes=shapes, save=save)(F, P, X)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [F, P, X], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [covariances, turned], ids=lambda f: f.__name__)
def test_no_value_goes_from_name_to_name(f):
    text = gradgen.emit(f, wrt=("F", "x"), shapes=SHAPES)
    assert "d_P = d_P_2" not in text
    assert "d_P = F" in text


def test_what_entered_a_round_is_called_by_that():
    text = gradgen.emit(updated, wrt=("F",), shapes=SHAPES)
    assert "P_before" in text and "x_before" in text
    assert "P_2" not in text and "x_2" not in text


def with_the_word(F, P, x_before):
    x, total = x_before, 0.0
    for _ in range(3):
        x = F @ x
        P = F @ P @ F.T + np.eye(3)
        total = total + x @ P @ x
    return total * x_before[0]


def test_a_name_of_the_user_stays_the_users():
    told = {"F": "3 3", "P": "3 3", "x_before": "3"}
    wrt = ("F", "P", "x_before")
    found = gradgen.grad(with_the_word, wrt=wrt, shapes=told)(F, P, X)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(with_the_word, [F, P, X], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


def test_a_product_that_is_turned_round_is_the_turned_product():
    text = gradgen.emit(turned, wrt="F", shapes=SHAPES)
    assert ").T" not in text
    assert "P @ d_FTP.T" in text


def wave(u, speed, n):
    before = u.copy()
    u = u.copy()
    for _ in range(n):
        after = 2 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u**2)


def test_what_swaps_is_swapped_in_one_line():
    told = {"u": "n", "speed": "n"}
    text = gradgen.emit(wave, wrt=("u", "speed"), shapes=told)
    assert "d_u, d_before = d_u_new, -d_u" in text
    u, speed = DRAWN.normal(size=7), DRAWN.uniform(0.1, 0.2, 7)
    found = gradgen.grad(wave, wrt=("u", "speed"), shapes=told)(u, speed, 3)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(lambda *a: wave(*a, 3), [u, speed], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)

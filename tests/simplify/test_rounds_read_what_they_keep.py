"""Loops back compute no sine or exponential that the round has kept."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient


def kepler(E, M, e):
    for _ in range(3):
        E = E - (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
    return np.sum(E)


def test_sines_and_cosines_are_kept():
    args = [np.array([0.4, 1.0, 2.0]), np.array([0.3, 0.8, 1.9]), 0.3]
    shapes = {"E": "n", "M": "n", "e": ""}
    text = gradgen.emit(kepler, wrt=("E", "M", "e"), shapes=shapes)
    code = [one for one in text.splitlines() if not one.strip().startswith("#")]
    assert sum("np.cos(" in line for line in code) == 1
    assert sum("np.sin(" in line for line in code) == 1
    names = {}
    exec(text, names)
    for i, found in enumerate(names["grad_kepler"](*args)):
        want = numeric_gradient(kepler, args, i).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def ratings(U, V, users, items, r, reg):
    pred = np.sum(U[users] * V[items], axis=1)
    penalty = np.sum(U[users] ** 2) + np.sum(V[items] ** 2)
    return np.sum((r - pred) ** 2) + reg * penalty


def test_gathers_that_are_written_twice_are_read_once():
    rng = np.random.default_rng(0)
    args = [rng.normal(size=(4, 2)), rng.normal(size=(3, 2)), np.array([0, 1, 1, 3])]
    args += [np.array([2, 0, 1, 1]), rng.normal(size=4), 0.1]
    text = gradgen.emit(ratings, wrt=("U", "V"), value=True, example=tuple(args))
    assert text.count("U[users]") <= 2 and "U_users = U[users]" in text
    names = {}
    exec(text, names)
    value, found = names["value_and_grad_ratings"](*args)
    np.testing.assert_allclose(value, ratings(*args))
    for i, one in enumerate(found):
        want = numeric_gradient(ratings, args, i).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)

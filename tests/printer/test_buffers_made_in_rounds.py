"""Only what a loop's rounds really change of an argument is copied in front of it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

U = np.random.default_rng(8).uniform(0.2, 1.0, 6)


def fresh_each_round(u):
    before = u.copy()
    for _ in range(3):
        after = 2 * u - before
        after[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u**2)


def handed_on(u):
    for _ in range(3):
        new = np.sin(u)
        new[0] = 1.0
        u = new
    return np.sum(u**3)


def through_a_view(u):
    for _ in range(2):
        new = u * u
        part = new[1:]
        part += 0.5
        u = new
    return np.sum(u)


def by_branches(u):
    for k in range(3):
        if k == 1:
            new = u * 2
            new[0] += 1.0
            u = new
    return np.sum(u**2)


def changed_in_the_second_round(u):
    for k in range(3):
        u[k] *= 2.0
        u = u + 1
    return np.sum(u**2)


def swapped(u):
    v = np.zeros_like(u)
    for k in range(3):
        v[1:] = u[:-1] ** 2
        u, v = v, u
    return np.sum(u + 2 * v)


def view_of_the_argument(u):
    half = u[::2]
    for k in range(2):
        half += u[1::2]
    return np.sum(u**2)


FRESH = [fresh_each_round, handed_on, through_a_view, by_branches]
STORED = [changed_in_the_second_round, swapped, view_of_the_argument]


@pytest.mark.parametrize("f", FRESH + STORED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"u": "n"}, {}], ids=["told", "untold"])
def test_arguments_stay(f, shapes):
    given = U.copy()
    value, gradient = gradgen.value_and_grad(f, shapes=shapes)(given)
    np.testing.assert_array_equal(given, U)
    np.testing.assert_allclose(value, f(U.copy()), rtol=1e-12)
    truth = numeric_gradient(lambda u: f(u.copy()), [U], 0).value
    np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", FRESH, ids=lambda f: f.__name__)
def test_nothing_is_copied(f):
    text = gradgen.emit(f, shapes={"u": "n"}, value=True)
    assert "u = u.copy()" not in text and "leaves u" not in text, text


@pytest.mark.parametrize("f", STORED, ids=lambda f: f.__name__)
def test_what_is_changed_is_copied(f):
    text = gradgen.emit(f, shapes={"u": "n"}, value=True)
    assert "leaves u as it was" in text and ".copy()" in text, text

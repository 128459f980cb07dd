"""A loop whose gradient only adds up goes once, and is right where it may not."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def pairs(x, c):
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            gap = x[i] - x[j]
            energy += np.exp(-(gap @ gap)) * c[0]
    return energy


def with_a_state(x, c):
    # the primal hands on what the gradient does not: c is held
    total, weight = 0.0, 1.0
    for i in range(len(x)):
        weight = 0.5 * weight + c[1] ** 2
        total += weight * np.tanh(x[i] @ c)
    return total


def two_sums(x, c):
    a = b = 0.0
    for i in range(len(x) - 1, -1, -1):
        row = np.sin(x[i]) * c
        a += np.sum(row**2)
        b -= row @ row[::-1]
    return a, b


def filled(x, c):
    rows = np.zeros(len(x))
    for i in range(len(x)):
        rows[i] = np.sin(x[i] @ c)
    return np.sum(rows**3)


def read_after(x, c):
    total = 0.0
    for i in range(len(x)):
        total += np.cos(x[i] @ c) ** 2
    return total * total


def recurrent(x, c):
    h = 1.0
    for i in range(len(x)):
        h = np.tanh(h + x[i] @ c)
    return h


def chosen(x, c):
    total = 0.0
    for i in range(len(x)):
        s = np.sin(x[i] @ c)
        if s > 0.1:
            total += s**2
        else:
            total -= np.exp(s)
    return total


def stopped(x, c):
    total = 0.0
    for i in range(len(x)):
        if i > 2:
            break
        total += np.sin(x[i] @ c) ** 2
    return total


def changed_in_place(x, c):
    total = 0.0
    work = x.copy()
    for i in range(len(x)):
        work[i] = np.exp(0.1 * work[i])
        total += np.sum(np.sin(work[i]) * c)
    work[0] = 7.0
    return total


def changed_after(x, c):
    total = 0.0
    y = np.sin(x)
    for i in range(len(x)):
        row = y[i] * c
        total += np.sum(row**2)
    y *= 3
    return total + np.sum(y)


def carried_rows(x, c):
    row, total = c, 0.0
    for i in range(len(x)):
        row = row * x[i]
        total += np.sum(np.sin(row))
    return total


def of_columns(x, c):
    total = 0.0
    for j in range(x.shape[1]):
        column = np.exp(x[:, j] * c[j])
        for i in range(1, len(x)):
            step = column[i] - column[i - 1]
            total += np.sqrt(1 + step**2)
    return total


ONCE = [pairs, two_sums, of_columns]
ALL = [*ONCE, with_a_state, filled, read_after, recurrent, chosen, stopped]
ALL += [changed_in_place, changed_after, carried_rows]
TOLD = {"x": "n 3", "c": "3"}


@pytest.mark.parametrize("told", [TOLD, None], ids=["told", "nothing"])
@pytest.mark.parametrize("value", [False, True], ids=["grad", "value"])
@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_the_gradient(function, value, told):
    random = np.random.default_rng(3)
    x, c = random.normal(size=(5, 3)), random.normal(size=3)
    make = gradgen.value_and_grad if value else gradgen.grad
    text = make(function, ("x", "c"), shapes=told)
    several = function is two_sums
    seed = (0.7, -0.4) if several else 0.7
    found = text(x, c, seed=seed)
    if value:
        of, found = found
        np.testing.assert_array_equal(of, function(x, c))
    for at, gradient in enumerate(found):

        def primal(*arguments):
            given = function(*arguments)
            return 0.7 * given[0] - 0.4 * given[1] if several else given

        truth = numeric_gradient(primal, [x, c], at, 1.0 if several else 0.7)
        np.testing.assert_allclose(gradient, truth.value, rtol=1e-7, atol=1e-9)
    if function is changed_in_place:
        return
    empty = text(x[:0], c, seed=seed)
    empty = empty[1] if value else empty
    assert [one.shape for one in empty] == [(0, 3), (3,)]


@pytest.mark.parametrize("function", ONCE, ids=lambda f: f.__name__)
def test_one_loop(function):
    text = gradgen.emit(function, ("x", "c"), shapes=TOLD, value=True)
    assert "append" not in text and "reversed" not in text


@pytest.mark.parametrize("function", [recurrent, read_after, carried_rows])
def test_two_loops(function):
    assert "reversed" in gradgen.emit(function, ("x", "c"), shapes=TOLD)

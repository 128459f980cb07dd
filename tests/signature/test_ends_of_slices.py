"""Arguments that slices start or end by are whole numbers, unless they may be None."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def alone(x, n):
    return np.sum(x[:n] ** 2)


def with_the_next(x, n):
    return np.sum(x[n:] ** 2) + x[n + 1]


def in_a_round(x, n, k):
    total = 0.0
    for i in range(k):
        total = total + x[i] * x[n + i] * np.sum(x[:n])
    return total


def of_products(x, n, k):
    return np.sum(np.sin(x[n * k : (n + 1) * k])) * x[n]


def of_columns(A, n):
    return np.sum(A[:, n:] @ A[:, n:].T) * A[0, n]


def as_a_factor(x, n):
    return np.sum(x[:n] * n) / n


def by_a_step(x, step):
    return np.sum(x[::step] ** 2) * step


def or_none(x, n=None):
    return np.sum(x[:n] ** 2)


def or_all(x, n):
    y = x if n is None else x[:n]
    return np.sum(y**3)


def if_there(x, n):
    if n:
        x = x[n:]
    return np.sum(x**3)


def array(*shape):
    return np.random.default_rng(3).normal(size=shape)


COUNTED = [
    (alone, [(array(5), 3), (array(5), 0), (array(4, 2), 2), (array(5), -1)]),
    (with_the_next, [(array(5), 3), (array(5), np.int64(1)), (array(5), np.int32(2))]),
    (in_a_round, [(array(6), 2, 3), (array(6), 3, 2), (array(6), 1, 0)]),
    (of_products, [(array(6), 1, 2), (array(6), 2, 2), (array(3), 0, 1)]),
    (of_columns, [(array(3, 4), 2), (array(3, 4), 0), (array(1, 4), 3)]),
    (as_a_factor, [(array(5), 3), (array(4, 2), 2)]),
    (by_a_step, [(array(5), 2), (array(4), -1)]),
]
OPTIONAL = [
    (or_none, [(array(5), 3), (array(5), None), (array(5),)]),
    (or_all, [(array(5), 3), (array(5), None)]),
    (if_there, [(array(5), 3), (array(5), None), (array(5), 0)]),
]


def emitted(function):
    space = {}
    exec(gradgen.emit(function), space)
    return space["grad_" + function.__name__]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("function, calls", COUNTED + OPTIONAL)
def test_by_hand_and_as_text(function, calls, narrow):
    gradient, text = gradgen.grad(function), emitted(function)
    for args in calls:
        want = numeric_gradient(function, [*args], 0).value
        args = (np.float32(args[0]), *args[1:]) if narrow else args
        for call in (gradient, text):
            found = call(*args)
            assert found.shape == want.shape and found.dtype == args[0].dtype
            np.testing.assert_allclose(
                found, want, *((1e-3,) * 2 if narrow else (1e-6,))
            )


@pytest.mark.parametrize("function", [function for function, _ in COUNTED])
def test_the_text_tells_it(function):
    text = gradgen.emit(function)
    name = function.__code__.co_varnames[1]
    assert re.search(rf"\b{name} int\b", text), text
    assert "_unbroadcast" not in text and ".at(" not in text


@pytest.mark.parametrize("function", [function for function, _ in OPTIONAL])
def test_what_may_be_none_is_no_number_for_it(function):
    assert not re.search(r"\bn int\b", gradgen.emit(function))


def squared_end(x, n):
    return np.sum(x[:n] * n * n)


def squared_count(x, n):
    total = 0.0
    for i in range(n):
        total = total + x[i] * n * n
    return total


def squared_length(x, n):
    return np.sum(np.reshape(x, (n, -1)) * n * n)


@pytest.mark.parametrize("function", [squared_end, squared_count, squared_length])
@pytest.mark.parametrize("sort", [np.uint8, np.int16, np.int64, int])
def test_numbers_of_a_byte_that_count(function, sort):
    """What counts by its use alone may be NumPy's: 20 * 20 is 144 in a byte."""
    args = [np.linspace(0.5, 1.5, 20), sort(20)]
    want = numeric_gradient(function, args, 0).value
    for call in (gradgen.grad(function), emitted(function)):
        np.testing.assert_allclose(call(*args), want, 1e-6)

"""What is added with a minus in front is taken away; np.add.at keeps that of a product."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.8, 1.1, 0.6, -0.4])
KEYS = np.array([0, 2, 2, 4])


def differences(x):
    return np.sum(np.diff(x, n=2) ** 3)


def of_pairs(x, first, second):
    gaps = x[first] - x[second]
    return np.sum(gaps**3)


def with_a_number(x, first, second):
    return np.sum((x[first] - 0.3 * x[second]) ** 3)


def in_a_loop(x, first, second):
    total = 0.0
    for t in range(4):
        total = total - 0.3 * x[first[t]] ** 2 * x[second[t]]
    return total


CASES = {
    "differences": (differences, (), "d_x[1:-1] -= 2 * "),
    "pairs": (of_pairs, (KEYS, KEYS[::-1]), "np.subtract.at(d_x, second, "),
    "number": (with_a_number, (KEYS, KEYS[::-1]), "np.add.at(d_x, second, -"),
    "loop": (in_a_loop, (KEYS, KEYS[::-1]), "-= "),
}


@pytest.mark.parametrize("name", CASES)
def test_no_minus_stands_behind_a_plus(name):
    f, keys, line = CASES[name]
    shapes = {"x": "n", **dict.fromkeys(("first", "second")[: len(keys)], "m:int")}
    text = gradgen.emit(f, wrt="x", shapes=shapes)
    assert line in text
    assert "+= -" not in text
    found = gradgen.grad(f, wrt="x", shapes=shapes)(X, *keys)
    truth = numeric_gradient(lambda x: f(x, *keys), [X], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-7, atol=1e-9)
    assert found.dtype == X.dtype


def test_other_libraries_keep_the_sum_that_they_have():
    text = gradgen.emit(
        of_pairs,
        wrt="x",
        shapes={"x": "n", "first": "m:int", "second": "m:int"},
        target="jax",
    )
    assert "subtract" not in text


def force(q, k):
    return -k * q / (1 + q**2)


def kick(q, k):
    return np.sum(q + 0.5 * force(q, k))


def halves(q, k):
    return np.sum(0.5 * -k * q**2)


def of_bytes(q, k):
    return np.sum(q**2 * -k)


@pytest.mark.parametrize("f", [kick, halves])
def test_the_minus_of_a_factor_stands_in_front(f):
    text = gradgen.emit(f, wrt="q", shapes={"q": "n", "k": ""})
    lines = text.partition("# Grad of")[2].splitlines()
    derivative = "".join(line for line in lines[1:] if "#" not in line)
    assert "* -k" not in derivative and "1.0 *" not in derivative
    found = gradgen.grad(f, wrt="q", shapes={"q": "n", "k": ""})(X, 0.7)
    truth = numeric_gradient(lambda x: f(x, 0.7), [X], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-7, atol=1e-9)


def test_the_minus_of_unsigned_bytes_stays_where_it_is():
    k = np.arange(1, len(X) + 1, dtype=np.uint8)
    found = gradgen.grad(of_bytes, wrt="q")(X, k)
    np.testing.assert_allclose(found, 2.0 * X * (-k))

"""Whole numbers of Python's math module, in loops over powers and terms."""

import math
from math import comb

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare


def series(x):
    total = 0.0
    for k in range(6):
        total = total + x**k / math.factorial(k)
    return total


def bernstein(x, n):
    total = 0.0
    for k in range(n + 1):
        total += comb(n, k) * x**k * (1 - x) ** (n - k) * k
    return total


def radial(r, n, m):
    total = np.zeros(r.shape)
    for i in range((n - m) // 2 + 1):
        below = math.factorial(i) * math.factorial((n - m) // 2 - i)
        total += r ** (n - 2 * i) * (-1) ** i * math.factorial(n - i) / below
    return total


def others(x, n):
    for k in range(1, n):
        x = x * math.perm(n, k) / math.gcd(n, 2 * k) + math.isqrt(k)
    return x


def large(x, n):
    return x * math.factorial(n) / math.factorial(n - 1)


R = np.array([0.3, 0.7, 0.95])


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (series, (0.7,)),
        (bernstein, (0.3, 4)),
        (radial, (R, 4, 2)),
        (others, (0.4, 5)),
        (large, (0.4, 40)),
    ],
)
def test_counts(f, args):
    compare(f, args)


def test_another_library():
    assert "math.comb(n, k)" in gradgen.emit(bernstein, target="jax")
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(bernstein, target="numba", shapes={"x": "", "n": ":int"})
    assert caught.value.code == "GG702"


def test_what_it_raises():
    with pytest.raises(ValueError, match="non-negative|negative"):
        gradgen.grad(large)(0.4, -1)

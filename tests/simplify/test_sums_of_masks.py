"""A sum of masks is true where either is: its terms are not counted with others."""

import numpy as np
import pytest

import gradgen

X = np.array([0.4, -0.3, 0.7, 0.2])
M = np.array([True, False, True, False])
N = np.array([True, True, False, False])


def beside_a_count(x, m, n):
    return np.sum(np.dot(m, x) + x * (True + m))


def of_two(x, m, n):
    return np.sum(np.dot(m, x) + x * (m + n)) + np.sum(x * n)


def twice(x, m, n):
    return np.sum(x * (m + n) + 3.0 * x * m) - 2.0 * np.sum(x * (n + True))


def in_a_quotient(x, m, n):
    return np.sum(x / (1.0 + (m + n)) + x * m + x * (False + m))


@pytest.mark.parametrize("told", [{}, {"m": "n:bool", "n": "n:bool"}])
@pytest.mark.parametrize("function", [beside_a_count, of_two, twice, in_a_quotient])
def test_against_differences(function, told):
    shapes = {"x": "n", **told} if told else {}
    found = [gradgen.grad(function, shapes=shapes)(X, M, N)]
    for general in (False, True):
        names: dict = {}
        asked = {"shapes": shapes} if told else {"general": general}
        exec(gradgen.emit(function, **asked), names)
        found.append(names[f"grad_{function.__name__}"](X, M, N))
    unit = np.eye(4)
    want = [
        (function(X + 1e-6 * e, M, N) - function(X - 1e-6 * e, M, N)) / 2e-6
        for e in unit
    ]
    for one in found:
        np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-8)

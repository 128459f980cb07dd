"""Values that are complex by one way alone: what flows to them is complex by either."""

import numpy as np
import pytest

import gradgen

X = np.array([0.3, 0.7])


def constant_in_an_arm(x, k=1):
    if k > 2:
        z = 1 - 2j
    else:
        z = x
    total = 0.0
    for i in range(3):
        w = z * (i + 2j)
        total = total + np.sum((w * w).real)
    return total


def turned_in_an_arm(x, k=1):
    if k > 2:
        z = x * (1 - 2j)
    else:
        z = x
    total = 0.0
    for i in range(3):
        w = np.sum(2 * z * z * (i + 2j))
        total = total + (w * w).imag
    return total


def by_an_expression(x, k=1):
    z = x * (1 - 2j) if k > 2 else x
    total = 0.0
    for i in range(3):
        w = np.sum(z * z * (i + 2j))
        total = total + (w * w).imag
    return total


def turned_in_rounds(x, k=1):
    z = x
    for _ in range(k - 1):
        z = z * 1j
    total = 0.0
    for i in range(3):
        w = np.sum(z * z * (i + 2j))
        total = total + (w * w).imag
    return total


def by_entries(x, k=1):
    z = x * 1j if k > 2 else x
    total = 0.0
    for i in range(2):
        w = z[i] * (i + 2j)
        total = total + (w * w).real
    return total


FORMS = [constant_in_an_arm, turned_in_an_arm, by_an_expression, turned_in_rounds]


@pytest.mark.parametrize("f", [*FORMS, by_entries])
@pytest.mark.parametrize("x", [0.7, np.float64(0.7), X], ids=repr)
@pytest.mark.parametrize("k", [1, 3])
def test_gradients_are_real_and_right(f, x, k):
    if f is by_entries and np.ndim(x) == 0 or f is constant_in_an_arm and k == 3:
        return
    steps = 1e-6 * np.eye(2) if np.ndim(x) else [1e-6]
    wanted = [(f(x + step, k) - f(x - step, k)) / 2e-6 for step in steps]
    wanted = np.reshape(wanted, np.shape(x))
    space = {}
    told = {"x": "n" if np.ndim(x) else "", "k": ":int"}
    exec(gradgen.emit(f, shapes=told), space)
    for made in (gradgen.grad(f), space[f"grad_{f.__name__}"]):
        got = made(x, k)
        assert np.shape(got) == np.shape(x) and np.asarray(got).dtype == np.float64
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)

"""What NumPy raises for, at a shape or an order, has no gradient either."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def first_power(x):
    return np.sum(np.linalg.matrix_power(x, 1))


def weighed(x):
    return np.sum(np.linalg.matrix_power(x, 1) * np.sin(x))


def no_power(x):
    return np.sum(np.linalg.matrix_power(x, 0)) + np.sum(x * x)


def third(x):
    return np.linalg.norm(x, 3)


def half(x):
    return np.linalg.norm(x * x, 0.5) * 2


def of_axes(x):
    return np.linalg.norm(x, 3, axis=(0, 1))


def of_a_stack(x):
    return np.sum(np.linalg.norm(np.stack([x, x]), -3, axis=(1, 2)))


POWERS = [first_power, weighed, no_power]
VECTOR, WIDE = np.array([0.5, 1.0, 2.0]), np.arange(6.0).reshape(2, 3)
SQUARE = np.array([[0.5, 1.5], [2.0, -1.0]])


def raised_by(function, x):
    with pytest.raises((ValueError, np.linalg.LinAlgError)):
        function(x)
    with pytest.raises((ValueError, np.linalg.LinAlgError, gradgen.GradgenError)):
        gradgen.grad(function)(x)


@pytest.mark.parametrize("function", POWERS)
@pytest.mark.parametrize("x", [VECTOR, WIDE])
def test_powers_of_what_is_not_square_raise(function, x):
    raised_by(function, x)
    space = {}
    exec(gradgen.emit(function), space)
    with pytest.raises((ValueError, np.linalg.LinAlgError)):
        space[f"grad_{function.__name__}"](x)


@pytest.mark.parametrize("function", POWERS)
def test_powers_of_square_matrices(function):
    expected = numeric_gradient(function, (SQUARE,), 0).value
    np.testing.assert_allclose(gradgen.grad(function)(SQUARE), expected, atol=1e-7)


@pytest.mark.parametrize("function", [third, half, of_axes, of_a_stack])
def test_norms_that_matrices_do_not_have(function):
    raised_by(function, WIDE)
    raised_by(function, SQUARE)


@pytest.mark.parametrize("function", [third, half])
def test_norms_that_vectors_have(function):
    expected = numeric_gradient(function, (VECTOR,), 0).value
    np.testing.assert_allclose(gradgen.grad(function)(VECTOR), expected, atol=1e-7)

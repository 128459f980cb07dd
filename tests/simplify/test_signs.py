"""Negatives that others subtract, and one cast for several gradients."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(11)
A, B, C = (DRAWN.normal(size=(4, 3)) for _ in range(3))


def triplet(a, b, c):
    near = np.sum((a - b) ** 2, axis=1)
    far = np.sum((a - c) ** 2, axis=1)
    return np.mean(np.maximum(near - far + 1.0, 0))


def chosen(a, b, c):
    size = np.sum(np.abs(a * b - c), axis=1)
    return np.sum(np.where(size > 2, 1.5 * size, 0.5 * size))


def least(a, b, c):
    s = np.sum(a * b - c, axis=1)
    return 3 * np.mean(np.minimum(s, 1))


def differences(a, b, c):
    first = np.sin(a) - np.cos(b)
    second = first - c * (a - b)
    return np.sum(first**2 * second) - np.sum((second - a) ** 2)


def innovation(a, b, c):
    x = np.sum(a, axis=0)
    total = 0.0
    for t in range(4):
        error = b[t, 0] * a[:, 0] - c @ x
        x = x + np.tanh(error) @ a - a[t] * x
        total = total + error @ error - x @ c[t]
    return total


def in_an_arm(a, b, c):
    d = a - b
    total = np.sum(d**3)
    if total > -1000:
        e = c - d
        total = total - np.sum(np.sin(e - d) * e)
    return total


CASES = [triplet, chosen, least, differences, innovation, in_an_arm]
SHAPES = {"a": "4 3", "b": "4 3", "c": "4 3"}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
@pytest.mark.parametrize("guard", [False, True])
def test_gradients_are_those_of_differences(f, shapes, guard):
    found = gradgen.grad(f, wrt=("a", "b", "c"), shapes=shapes, guard=guard)(A, B, C)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [A, B, C], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtypes_and_memory(f, dtype):
    given = [one.astype(dtype) for one in (A, B, C)]
    found = gradgen.grad(f, wrt=("a", "b", "c"), shapes=SHAPES)(*given)
    for i, one in enumerate(found):
        assert one.dtype == dtype
        assert one.flags.writeable
        assert not any(np.shares_memory(one, other) for other in (*given, *found[:i]))


@pytest.mark.parametrize("f", [triplet, least], ids=lambda f: f.__name__)
def test_one_cast_is_enough(f):
    text = gradgen.emit(f, wrt=("a", "b", "c"), shapes=SHAPES)
    assert text.count(".astype(") == 1


@pytest.mark.parametrize("f", [triplet, least], ids=lambda f: f.__name__)
def test_whole_arguments_lose_no_fraction(f):
    given = [np.rint(3 * one).astype(int) for one in (A, B, C)]
    namespace = {}
    exec(gradgen.emit(f, wrt=("a", "b", "c")), namespace)
    found = namespace[f"grad_{f.__name__}"](*given)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [one.astype(float) for one in given], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


def test_no_negative_has_a_line_of_its_own():
    text = gradgen.emit(triplet, wrt=("a", "b", "c"), shapes=SHAPES)
    assert "d_a = -d_c - d_b" in text
    text = gradgen.emit(innovation, wrt=("a", "c"), shapes=SHAPES)
    assert "= -d_error\n" not in text


def residuals(phi, y):
    left = y[2:] - phi[0] * y[1:-1] - phi[1] * y[:-2]
    return 0.5 * np.dot(left, left)


def test_a_line_that_only_negates_is_left_out_where_as_many_minuses_stay():
    told = {"phi": "2", "y": "n"}
    text = gradgen.emit(residuals, wrt=("phi", "y"), shapes=told)
    assert "d_y[1:-1] -= phi[0] * d_left" in text
    assert "= -d_left\n" not in text
    phi, y = np.array([0.4, -0.3]), A[:, 0]
    found = gradgen.grad(residuals, wrt=("phi", "y"), shapes=told)(phi, y)
    for i, one in enumerate(found):
        truth = numeric_gradient(residuals, [phi, y], i).value
        np.testing.assert_allclose(one, truth, rtol=1e-7, atol=1e-9)

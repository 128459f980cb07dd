"""Functions that test what they would divide by: finite where the test goes by it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

V = np.array([0.3, -0.5, 0.8])


def unit(x):
    n = np.linalg.norm(x)
    if n == 0:
        return x
    return x / n


def of_unit(x):
    return np.sum(unit(x) ** 3 * V)


def turned(r):
    angle = np.linalg.norm(r)
    if angle < 1e-8:
        return np.sum(V * V)
    axis = r / angle
    moved = V * np.cos(angle) + np.cross(axis, V) * np.sin(angle)
    return np.sum((moved + axis * (axis @ V) * (1 - np.cos(angle))) ** 3)


def in_place(x):
    n = np.sqrt(np.sum(x**2))
    if n > 1e-12:
        x = x / n
    return np.sum(x**3)


def by_choice(x):
    n = np.linalg.norm(x)
    return np.sum(x * V / n) if n > 0 else 0.0


def scaled(x):
    spread = x.std()
    centred = x - x.mean()
    if spread == 0:
        return np.sum(centred**3)
    return np.sum((centred / spread) ** 3)


def apart(x):
    d = np.linalg.norm(x - V * 0)
    if d < 1e-9:
        return 0.0
    return 1 / d + np.log(d)


def in_a_loop(x):
    total = 0.0
    for i in range(3):
        r = np.sqrt(x[i] ** 2 + x[(i + 1) % 3] ** 2)
        if r > 0:
            total += x[i] / r
    return total


def nested(x):
    n = np.linalg.norm(x)
    if n > 0:
        m = np.sqrt(np.sum((x / n) ** 4))
        if m > 0:
            return np.sum(x) * n / m
        return n
    return np.sum(x * V)


def in_both(x):
    a, b = np.linalg.norm(x), np.sum(np.abs(x))
    if a > b:
        y = x / a
    elif b > 0:
        y = x / b
    else:
        y = x * 2
    return np.sum(y * V)


FUNCTIONS = [
    of_unit,
    turned,
    in_place,
    by_choice,
    scaled,
    apart,
    in_a_loop,
    nested,
    in_both,
]


def texts(f):
    """The gradient by a call, by a text, and by a text that is told of the shape."""
    yield gradgen.grad(f)
    for shapes in ({}, {"x": "3"}):
        space: dict = {}
        exec(gradgen.emit(f, shapes=shapes), space)
        yield space[f"grad_{f.__name__}"]


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not turned])
def test_it_is_the_derivative_elsewhere(f):
    x = np.array([0.7, 0.2, -0.4])
    want = numeric_gradient(f, (x,), 0).value
    for gradient in texts(f):
        np.testing.assert_allclose(gradient(x), want, rtol=1e-7, atol=1e-9)


def test_a_turn_has_the_derivative():
    r = np.array([0.7, 0.2, -0.4])
    want = numeric_gradient(turned, (r,), 0).value
    np.testing.assert_allclose(gradgen.grad(turned)(r), want, rtol=1e-7)
    found = gradgen.hessian(turned)(r)
    rows = [
        (gradgen.grad(turned)(r + 1e-5 * e) - gradgen.grad(turned)(r - 1e-5 * e)) / 2e-5
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(found, rows, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_it_is_finite_where_the_test_goes_by(f):
    x = np.full(3, 2.0) if f is scaled else np.zeros(3)
    want = {nested: V, in_both: 2 * V}.get(f, np.zeros(3))
    for gradient in [gradgen.grad(f)] if f is turned else texts(f):
        np.testing.assert_allclose(gradient(x), want, atol=1e-12)


def test_dtypes_and_shapes_stay():
    x = np.zeros(3, dtype=np.float32)
    for f in FUNCTIONS:
        found = gradgen.grad(f)(x)
        assert found.dtype == np.float32 and found.shape == (3,), f


def rows(x):
    n = np.linalg.norm(x, axis=-1, keepdims=True)
    n[n == 0] = 1
    return np.sum(x / n * V)


def chosen_rows(x):
    n = np.linalg.norm(x, axis=-1)
    out = np.zeros_like(x)
    ok = n > 0
    out[ok] = x[ok] / n[ok][:, None]
    return np.sum(out * V)


def test_rows_that_are_not_chosen_have_no_share():
    x = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 2.0], [-0.5, 0.3, 0.1]])
    want = numeric_gradient(chosen_rows, (x[1:],), 0).value
    space: dict = {}
    exec(gradgen.emit(chosen_rows, shapes={"x": "n 3"}), space)
    for found in (space["grad_chosen_rows"](x), gradgen.grad(chosen_rows)(x)):
        np.testing.assert_allclose(found[0], 0, atol=1e-12)
        np.testing.assert_allclose(found[1:], want, rtol=1e-6)


def test_lanes_that_are_stored_into_have_no_share():
    x = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 2.0]])
    want = numeric_gradient(lambda y: rows(np.stack([x[0] + 1, y])), (x[1],), 0).value
    for shapes in ({}, {"x": "n 3"}):
        space: dict = {}
        exec(gradgen.emit(rows, shapes=shapes), space)
        for found in (space["grad_rows"](x), gradgen.grad(rows)(x)):
            np.testing.assert_allclose(found[0], V, rtol=1e-12)
            np.testing.assert_allclose(found[1], want, rtol=1e-7)

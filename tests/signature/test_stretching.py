"""Axes taken for n entries meet lengths that nothing is known of: not with one entry.

With one entry NumPy stretches them, and the text would give a gradient of another shape.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def flattened(X, w, g):
    return np.sum((X @ w + np.ravel(g)) ** 2)


def outer(X, w, g):
    return np.sum(np.einsum("i,j->ij", X @ w, X @ w) / (1.5 + np.outer(g, g)))


def chosen(X, w, g):
    return np.sum(X @ w * g[g > 0])


def sliced(X, w, g):
    k = len(g) - 1
    return np.sum(np.exp(X @ w) * np.cumsum(g)[1:k])


def stored(X, w, g):
    y = np.zeros(g.shape)
    y[1:-1] = X @ w
    return np.sum(y * g)


def compared(X, w, g):
    return np.sum(np.where(np.ravel(g) > 0.1, X @ w, 0.5) ** 2)


G = np.array([0.5, 1.5, 0.25, 0.75, 2.0])
LENGTHS = {flattened: 5, outer: 5, chosen: 5, sliced: 3, stored: 3, compared: 5}


@pytest.mark.parametrize("function", LENGTHS)
@pytest.mark.parametrize("rows", ["as many", "one"])
def test_right_or_refused(function, rows):
    """The call knows the lengths and is right; the text is right, or raises."""
    n = LENGTHS[function] if rows == "as many" else 1
    X, w = np.linspace(0.2, 1.0, 2 * n).reshape(n, 2), np.array([0.4, -0.3])
    want = numeric_gradient(function, (X, w, G), 0).value
    np.testing.assert_allclose(
        gradgen.grad(function, wrt="X")(X, w, G), want, atol=1e-6
    )
    names: dict = {}
    text = gradgen.emit(function, wrt="X")
    exec(text, names)
    gradient = names[f"grad_{function.__name__}"]
    try:
        found = gradient(X, w, G)
    except ValueError as error:
        told = str(error)
        assert rows == "one" and ("more than 1" in told or "is taken" in told), text
        return
    np.testing.assert_allclose(found, want, atol=1e-6)


def test_what_meets_no_such_length_is_taken_with_one_row():
    text = gradgen.emit(residuals)
    assert "more than 1" not in text


def residuals(X, w, y):
    return np.sum((X @ w - y) ** 2)


def contraction(scale, d):
    h = np.einsum("bij,ij->b", d, scale)[[0, 0, 0, 0]]
    return np.mean(np.where(scale >= 0, d, 0.5) + np.sum(h))


def contracted_twice(scale, d):
    return np.sum(np.einsum("ij,bij,kij->bk", scale, d, d) ** 2)


def of_itself(scale, d):
    rows = scale[[0, 0, 1]]
    z = np.einsum("ij,jk->ik", rows, scale)
    return np.sum(np.sinh(z) * np.mean(d))


EINSUMS = {
    contraction: [((3, 4), (2, 3, 4)), ((3, 4), (2, 1, 1)), ((1, 1), (2, 3, 4))],
    contracted_twice: [((3, 4), (2, 3, 4)), ((3, 4), (2, 1, 4)), ((1, 4), (2, 3, 4))],
    of_itself: [((3, 3), (2,)), ((3, 1), (2,))],
}


@pytest.mark.parametrize("function", EINSUMS)
def test_an_einsum_stretches_what_has_one_entry(function):
    for k, shapes in enumerate(EINSUMS[function]):
        args = [np.linspace(0.3, 1.2, np.prod(s)).reshape(s) for s in shapes]
        want = numeric_gradient(function, args, 0).value
        np.testing.assert_allclose(gradgen.grad(function)(*args), want, atol=1e-6)
        names: dict = {}
        exec(gradgen.emit(function), names)
        try:
            found = names[f"grad_{function.__name__}"](*args)
        except ValueError as error:
            assert k and " is taken for " in str(error)
            continue
        np.testing.assert_allclose(found, want, atol=1e-6)


class Curve:
    def __init__(self):
        self.knots, self.values = np.array([0.0, 1.0, 3.0]), np.array([0.1, 0.2, 0.4])

    def shifted(self, r, t, T):
        return np.exp(-np.interp(T, self.knots, self.values) / (1 + t) - r * (T - t))

    def scaled(self, r, t):
        return np.interp(t, self.knots, self.values) * t * r

    def checked(self, r, t):
        if np.shape(r) != np.shape(t):
            raise ValueError("one rate for each time")
        return np.interp(t, self.knots, self.values) ** r * t


@pytest.mark.parametrize("name, count", [("shifted", 3), ("scaled", 2), ("checked", 2)])
def test_shapes_that_are_compared_are_no_axes_that_meet(name, count):
    """Beside arrays of an instance, of which the lengths have letters."""
    method, args = getattr(Curve(), name), (0.7, 1.5, 2.5)[:count]
    names: dict = {}
    exec(gradgen.emit(method), names)
    want = numeric_gradient(method, args, 0).value
    np.testing.assert_allclose(names[f"grad_{name}"](method.__self__, *args), want)

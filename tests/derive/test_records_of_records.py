"""Lists that a round of a derivative inside keeps, whose entries others are read by."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def scaled(x, b, steps):
    n = len(b)
    for i in range(1, n - 1):
        for j in range(steps):
            b[i] *= 2
            r = np.sum(np.array([b.mean() * x[i], 0.5, 1.5 * b[i]]) ** 2)
            out = np.tanh(0.5 * b + r * (b / (1 + r)))
    return np.sum(out)


def of_the_rest(x, b, steps):
    for i in range(1, len(b)):
        for j in range(steps):
            b[i] *= np.tanh(x[i] * b[i])
            s = np.sin(b[i] * b.mean())
            b = b + s * np.cos(x[j] * b)
    return np.sum(b * s)


def counted_down(x, b, steps):
    out = 1.0 * b
    for i in range(len(b) - 1, 0, -1):
        for j in range(steps):
            b[i - 1] *= 1.1 + 0.1 * np.sin(b[i])
            r = np.exp(-b.mean() * x[i])
            out = np.tanh(r * out + b / (1 + r**2))
    return np.sum(out * x)


def descended(inner):
    def outer(x, b, steps):
        for _ in range(2):
            b = b - 0.01 * gradgen.grad(inner, wrt="b")(x, b, steps)
        return np.sum(b * b)

    return outer


@pytest.mark.parametrize("facts", [{}, {"steps": ":int"}, {"x": "n", "b": "n"}])
@pytest.mark.parametrize("inner", [scaled, of_the_rest, counted_down])
def test_against_differences(inner, facts):
    """The general text reads rounds by numbers that are kept in another record."""
    outer = descended(inner)
    gradient = gradgen.grad(outer, wrt="x", shapes=facts)
    gradient.general  # noqa: B018
    rng = np.random.default_rng(3)
    for n, steps in ((5, 2), (4, 1)):
        args = [rng.uniform(0.2, 1.0, n), rng.uniform(0.2, 1.0, n), steps]
        want = numeric_gradient(outer, args, 0).value
        for call in (gradient, gradient.general):
            found = call(*[np.copy(a) if i < 2 else a for i, a in enumerate(args)])
            np.testing.assert_allclose(found, want, 1e-6, 1e-9)

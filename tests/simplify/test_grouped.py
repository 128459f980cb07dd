"""Factors that some terms share are multiplied once, and the numbers stay."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(5)
X, Y, Z = (DRAWN.uniform(0.4, 1.3, 6) for _ in range(3))
BYTES = np.array([100, 3, 70, 9, 64, 200], np.uint8)


def decay(x, y, z, k):
    a = -k * x
    b = -k * (x + 0.5 * a)
    c = -k * (x + 0.5 * b)
    return np.sum((x + (a + 2 * b + c) / 6) ** 2)


def quotients(x, y, z, k):
    return np.sum(np.log(x) * y + z / x + z * y / x)


def outer(x, y, z, k):
    table = x[:, None] * y + x[:, None] * z + k * x
    return np.sum(np.tanh(table))


def of_scalars(x, y, z, k):
    r = k * k + 1
    return np.sum(x) * r + np.sum(y) * r * k + np.sum(z) / r


CASES = [decay, quotients, outer, of_scalars]


def told(kind=""):
    return {"x": "n", "y": "n", "z": f"n{kind}", "k": ""}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("with_facts", [True, False])
def test_gradients_are_those_of_differences(f, with_facts):
    arguments = [X, Y, Z, 0.7]
    shapes = told() if with_facts else {}
    found = gradgen.grad(f, wrt=("x", "y", "z", "k"), shapes=shapes)(*arguments)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, arguments, at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-9)
        assert np.shape(gradient) == np.shape(arguments[at])


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_dtypes_stay(f):
    arguments = [one.astype(np.float32) for one in (X, Y, Z)]
    for gradient in gradgen.grad(f, wrt=("x", "y"), shapes=told())(*arguments, 0.7):
        assert gradient.dtype == np.float32


def test_what_is_multiplied_once():
    text = gradgen.emit(decay, wrt="x", shapes=told())
    assert " * (d_" in text
    assert text.count("k *") <= 7


def with_integers(x, y, z, k):
    return np.sum(x * (z * z) + y * (z * z) * x + x * z)


def test_integers_that_wrap_are_computed_as_the_primal_computes_them():
    for wrt in ("x", "y"):
        gradient = gradgen.grad(with_integers, wrt=wrt, shapes=told(":int"))
        found = gradient(X, Y, BYTES, 0.7)
        truth = numeric_gradient(
            with_integers, [X, Y, BYTES, 0.7], "xy".index(wrt)
        ).value
        np.testing.assert_allclose(found, truth, rtol=1e-6)


def test_a_zero_in_a_denominator_that_terms_share_stays_guarded():
    def f(x, y, z, k):
        r = np.sqrt(np.sum(x * x))
        return np.sum(y * x) / r + np.sum(z * x) / r

    gradient = gradgen.grad(f, wrt=("x", "y"), shapes=told(), guard=True)
    for one in gradient(np.zeros(6), Y, Z, 0.7):
        assert np.all(np.isfinite(one))

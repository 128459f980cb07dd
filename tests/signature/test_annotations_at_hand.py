"""What an annotation says of an argument, and what a call gives."""

from typing import Dict, List, Tuple

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def line(p: Tuple[float, float], x):
    return np.sum((p[0] * x + p[1]) ** 2)


def unpacked(p: tuple[float, float], x):
    a, b = p
    return a * b**2 + x[0] * a


def listed(p: List[float], x):
    return sum(q**2 for q in p) * x[1]


def keyed(p: Dict[int, float], x):
    return p[0] * p[1] ** 2 * x[0]


P, X = np.array([1.5, 0.7]), np.array([0.2, 0.3, 0.4])


@pytest.mark.parametrize("f", [line, unpacked, listed, keyed])
def test_an_array_where_a_container_is_annotated_is_an_array(f):
    want = numeric_gradient(f, (P, X), 0).value
    found = gradgen.grad(f)(P, X)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, want, rtol=1e-7)


def test_a_tuple_is_a_tuple():
    want = numeric_gradient(line, (P, X), 0).value
    found = gradgen.grad(line)(tuple(P), X)
    assert isinstance(found, tuple)
    np.testing.assert_allclose(found, want, rtol=1e-7)


class Kernel:
    def __init__(self):
        self.K = np.ones((3, 3))

    def covariance(self, errors: float | np.ndarray):
        if isinstance(errors, (int, float)) and errors == 0:
            return self.K * 1
        return self.K + errors**2 * np.identity(3)

    def own(self, errors):
        K = self.K * 2
        if not (isinstance(errors, float) and errors < 0):
            K += errors**2 * np.identity(3)
        return K


KERNEL = Kernel()


def covariance(errors, K):
    if isinstance(errors, (int, float)) and errors == 0:
        return K * 1
    return K + errors**2 * np.identity(3)


@pytest.mark.parametrize(
    ("f", "more", "given"),
    [
        (KERNEL.covariance, {}, ()),
        (KERNEL.own, {}, ()),
        (covariance, {"shapes": {"K": "3 3"}}, (KERNEL.K,)),
    ],
    ids=["a method", "another", "a function"],
)
def test_a_number_that_is_asked_for_may_be_an_array(f, more, given):
    """The text takes both: an array behind the question fails no test of it."""
    space: dict = {}
    exec(gradgen.emit(f, **more), space)
    made = next(one for name, one in space.items() if name.startswith("grad_"))
    held = (KERNEL,) if f is not covariance else ()
    errors = np.array([0.1, 0.2, 0.3])
    seed = np.arange(9.0).reshape(3, 3)
    np.testing.assert_allclose(made(*held, 0.3, *given, seed), 0.6 * np.trace(seed))
    want = numeric_gradient(lambda e: np.sum(seed * f(e, *given)), (errors,), 0).value
    for found in (
        made(*held, errors, *given, seed),
        gradgen.grad(f)(errors, *given, seed=seed),
    ):
        np.testing.assert_allclose(found, want, rtol=1e-6)

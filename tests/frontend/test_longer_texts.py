"""note += "...": strings that a statement makes longer, which no number depends on."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 1.2, -0.7])


def of_what_is_known(x):
    note = "a"
    note += "b"
    return np.sum(x**2) * len(note)


def in_an_arm(x, n=3):
    note = ""
    if x[0] > 0:
        note += "above"
        x = x * 2
    return np.sum(x**2)


def of_values(x, n=3):
    note = "n: %d" % n
    note += f", x: {x[0]:.3f}"
    note = note + "\n"
    return np.sum(np.sin(x))


def with_an_option(x, kind="flat"):
    label = kind
    label += " step"
    return np.sum(x**3)


FUNCTIONS = [of_what_is_known, in_an_arm, of_values, with_an_option]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_right(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7)
    names: dict = {}
    exec(gradgen.emit(f, shapes={"x": "n"}), names)
    np.testing.assert_allclose(names[f"grad_{f.__name__}"](X), want, rtol=1e-7)

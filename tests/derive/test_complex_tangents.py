"""The tangent of what is complex takes the imaginary parts that are stored in it."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.3, 0.5, -0.2, 0.8])
V = np.array([0.1, -0.4, 0.6, 0.7])
MADE = {
    "a sum": "x + 0j",
    "zeros added to": "np.zeros(4, complex) + x",
    "phases added to": "np.exp(1j * np.arange(4.0)) + x",
    "of one of two": "np.where(x > 0, x, 1j)",
    "stretched": "(np.broadcast_to(x, (2, 4)) + 1j * np.arange(2.0)[:, None])[1]",
    "put in": "np.insert(x[1:] + 0j, 1, 1j * x[0])",
    "padded": "np.pad(x[1:3] + 0j, 1, constant_values=1j * x[0])",
}
CHANGED = {
    "a slice": "z[1:3] = 1j * x[:2]",
    "an entry": "z[1] = 1j * x[0] * x[1]",
    "turned": "z[1:3] *= 1j * x[:2]",
    "in a loop": "for k in range(3):\n        z[k + 1] = z[k] * (1j + x[k])",
    "in an arm": "if x[0] > 0:\n        z[1:] = 1j * x[1:]\n    z *= 1j + x",
    "by a mask": "z[x > 0.4] = 1j * x[x > 0.4]",
}


def program(made, changed, tmp_path):
    text = f"""
def f(x):
    z = {made}
    {changed}
    return np.sum((z * z * z).real + z.imag * x)
"""
    return written(text, tmp_path)


def along(function, h=1e-3):
    """The derivative along V, by differences of the fourth order."""
    near = (function(X + h * V) - function(X - h * V)) / (2 * h)
    far = (function(X + 2 * h * V) - function(X - 2 * h * V)) / (4 * h)
    return (4 * near - far) / 3


def slope(f, h=1e-3):
    """The gradient by differences."""
    return lambda x: np.array(
        [
            (8 * (f(x + e) - f(x - e)) - f(x + 2 * e) + f(x - 2 * e)) / (12 * h)
            for e in h * np.eye(4)
        ]
    )


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_tangents_of_arrays_that_are_changed(made, changed, tmp_path):
    f = program(made, changed, tmp_path)
    value, tangent = gradgen.jvp(f)(X, V)
    assert value == pytest.approx(f(X), rel=1e-14)
    assert tangent == pytest.approx(along(f), rel=1e-8, abs=1e-9)
    product = gradgen.hvp(f)(X, V)
    np.testing.assert_allclose(product, along(slope(f)), rtol=1e-6, atol=1e-6)
    assert product.dtype == float


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_texts_without_facts(made, tmp_path):
    f = program(made, CHANGED["turned"], tmp_path)
    space = {}
    exec(gradgen.emit(f, mode="forward"), space)
    _, tangent = space["jvp_f"](X, V)
    assert tangent == pytest.approx(along(f), rel=1e-8, abs=1e-9)


def test_a_real_tangent_stays_as_it_is(tmp_path):
    f = written(
        "def f(x):\n    z = x * 2\n    z[1] = x[0]\n    return z @ z\n", tmp_path
    )
    assert "full_like" not in gradgen.emit(f, mode="forward", shapes={"x": "n"})

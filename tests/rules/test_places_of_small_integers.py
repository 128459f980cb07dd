"""np.gradient and np.interp take integers for floats: differences of theirs do not wrap."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

Y = np.array([0.7, 1.3, 0.45, 0.9])
U8, I8 = np.array([9, 6, 4, 1], np.uint8), np.array([1, 101, -100, 3], np.int8)
RISING = np.array([-100, -3, 60, 120], np.int8)
HEIGHTS = np.array([200, 100, 250, 7], np.uint8)
AT = np.array([-60.3, 20.2, 99.7, 130.0])
CASES = [
    ("np.gradient(y, t)", Y, U8),
    ("np.gradient(y, t)", Y, I8),
    ("np.gradient(np.outer(y, y), t, axis=1)", Y, I8),
    ("np.gradient(t, np.cumsum(y))", Y, HEIGHTS),
    ("np.interp(y, np.arange(4) * 60.0 - 80, t)", AT, HEIGHTS),
    ("np.interp(y, t, [0.5, 2.0, 1.0, 3.0])", AT, RISING),
    ("np.interp(t, t[::2], y[:2])", Y, RISING),
    ("np.interp(y, t, [0.5, 2.0, 1.0, 3.0], period=150)", AT, U8),
    ("np.interp(y, [1.0, 2.0, 3.0, 5.0], t, period=150)", AT, HEIGHTS),
]


@pytest.mark.parametrize("text, y, t", CASES)
def test_gradients(text, y, t):
    body = f"    return np.sum({text} * np.arange(4) ** 2)\n"
    f = imported(f"import numpy as np\n\n\ndef f(y, t):\n{body}", "f")
    want = numeric_gradient(f, [y, t], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(y, t), want, rtol=1e-5, atol=1e-8)
    space: dict = {}
    exec(gradgen.emit(f, "y", example=(y, t)), space)
    np.testing.assert_allclose(space["grad_f"](y, t), want, rtol=1e-5, atol=1e-8)
    if text.startswith("np.gradient(t"):
        return  # refused
    along = gradgen.jvp(f)(y, t, np.cos(y))[1]
    np.testing.assert_allclose(along, np.sum(want * np.cos(y)), rtol=1e-5, atol=1e-8)


def test_falling_knots_of_unsigned_integers_are_refused():
    def f(y, t):
        return np.sum(np.interp(y, t, np.arange(4.0)))

    with pytest.raises(gradgen.GradgenError, match="knots of np.interp out of order"):
        gradgen.grad(f)(AT, U8)


def test_of_floats_nothing_is_multiplied():
    def f(y, t):
        return np.gradient(y, t)

    assert "1.0 *" not in gradgen.emit(f, "y", shapes={"y": "n", "t": "n"})

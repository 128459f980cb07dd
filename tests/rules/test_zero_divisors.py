"""Quotients whose divisor is 0 as a number of Python's: computed as NumPy computes them.

A divisor that is a constant, an argument or a length meets a seed that is a number; what
np.where leaves out must neither raise nor reach the gradient.
"""

import re
import warnings

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.5, -1.2, 2.0])
NUMBERS = {"s": 0.0, "k": 0, "n": 1}
# left out by np.where: the value is finite, and measured
LEFT_OUT = {
    "a constant": "np.sum(np.where(x > 9, x / 0.0, x * x))",
    "a whole constant": "np.sum(np.where(x > 9, x**2 / 0, x * x))",
    "of the module": "np.sum(np.where(x > 9, np.sin(x) / ZERO, x * x))",
    "an argument": "np.sum(np.where(s > 0, x / s, x * x))",
    "a whole argument": "np.sum(np.where(k > 0, x / k, x * x))",
    "a length": "np.sum(np.where(len(x) > 3, x / (len(x) - 3), x**3))",
    "a shape": "np.sum(np.where(x > 9, x / (x.shape[0] - 3), np.cos(x)))",
    "of a sum": "np.where(n > 1, np.sum(x) / (n - 1), np.sum(x * x))",
    "twice": "np.sum(np.where(x > 9, x / s / s + x / 0.0, x * x))",
    "times zero": "np.sum(np.where(x > 9, 1 / (x * s), np.exp(x)))",
}
# what is divided goes on: the gradient is infinite where the value is
INFINITE = {
    "np.sum(x * x / 0.0)": np.sign(X) * np.inf,
    "np.sum(x / s)": np.full(3, np.inf),
    "np.sum(x**3) / k": np.full(3, np.inf),
    "np.sum(-x / (len(x) - 3))": np.full(3, -np.inf),
}


def gradients(expression, tmp_path, facts):
    """The function, its arguments, and its gradient in x in every mode."""
    names = ["x", *(n for n in NUMBERS if re.search(rf"\b{n}\b", expression))]
    text = f"ZERO = 0.0\ndef f({', '.join(names)}):\n    return {expression}\n"
    function = written(text, tmp_path)
    args = [X, *(NUMBERS[name] for name in names[1:])]

    def found():
        yield gradgen.grad(function, wrt="x", shapes=facts)(*args)
        yield gradgen.value_and_grad(function, wrt="x", shapes=facts)(*args)[1]
        yield gradgen.vjp(function, wrt="x", shapes=facts)(*args)[1]()
        push = gradgen.jvp(function, wrt="x", shapes=facts)
        yield np.array([push(*args, along)[1] for along in np.eye(3)])

    return function, args, found


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_is_not_divided(name, facts, tmp_path):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        function, args, found = gradients(LEFT_OUT[name], tmp_path, facts)
        want = numeric_gradient(function, args, 0, 1.0).value
        assert np.isfinite(want).all()
        for gradient in found():
            assert gradient.shape == X.shape and gradient.dtype == X.dtype
            np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize("expression", INFINITE)
def test_what_is_divided_by_zero_is_infinite(expression, facts, tmp_path):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        function, args, found = gradients(expression, tmp_path, facts)
        assert not np.isfinite(function(*args))
        for gradient in list(found())[:3]:
            np.testing.assert_array_equal(gradient, INFINITE[expression])


@pytest.mark.parametrize("facts", ["facts", "none", "general"])
@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_text_does_not_divide_it(name, facts, tmp_path):
    given = {"facts": {"shapes": {"x": "n"}}, "none": {}, "general": {"general": True}}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        function, args, _ = gradients(LEFT_OUT[name], tmp_path, {})
        want = numeric_gradient(function, args, 0, 1.0).value
        names: dict = {}
        exec(gradgen.emit(function, wrt="x", **given[facts]), names)
        gradient = names["grad_f"](*args)
        assert gradient.shape == X.shape and gradient.dtype == X.dtype
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-8)


def test_what_divides_outside_of_arms_is_written_as_it_is(tmp_path):
    """So is what the function itself divides as Python does, which raises there too."""
    for expression in (
        "np.sum(np.maximum(x / s, 1.0))",
        "np.sum(np.where(x > 9, k / s * x, x))",
        "np.sum(np.where(x > 0, x / 2.0, x / len(x)))",
        "np.sum(np.where(x > 0, x / (len(x) + 1), x / (2 + x.shape[0])))",
    ):
        function, _, _ = gradients(expression, tmp_path, {})
        assert "np.divide" not in gradgen.emit(function, wrt="x")


@pytest.mark.parametrize("facts", ["facts", "general"])
@pytest.mark.parametrize(
    "expression",
    [
        "np.sum(np.where(x > 9, np.sin(x) / s, x) * x)",
        "np.sum(np.where(x > 9, x**2 / (len(x) - 1), x * x))",
        "np.sum(np.where(x > 9, x / s, np.exp(x)))",
        "np.sum(np.where(s > 5, np.cos(x), x * x / (x.shape[0] - 1)))",
        "np.sum(np.where(s > 5, x / (len(x) - 1), np.cos(x)) * x)",
        "np.sum(np.where(x > 9, x / s, 1.0) * np.where(x > 1, x / s, x))",
    ],
)
def test_a_text_keeps_single_precision(expression, facts, tmp_path):
    given = {"facts": {"shapes": {"x": "n"}}, "general": {"general": True}}[facts]
    function, args, _ = gradients(expression, tmp_path, {})
    numbers = [2.0 for _ in args[1:]]
    want = numeric_gradient(function, [X, *numbers], 0, 1.0).value
    names: dict = {}
    exec(gradgen.emit(function, wrt="x", **given), names)
    gradient = names["grad_f"](X.astype(np.float32), *numbers)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, want, rtol=1e-5, atol=1e-6)

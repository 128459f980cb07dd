"""Functions that take an axis, of numbers: NumPy gives one entry, or a number."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

FORMS = [
    "np.argsort(x) * x",
    "np.argsort(x, axis=-1) * x",
    "np.argpartition(x, 0) * x",
    "x.argsort() * x",
    "np.cumsum(x, axis=0) * x",
    "np.cumsum(x) * x",
    "np.cumprod(x * x, axis=0) * x",
    "np.sum(x, axis=-1) * x",
    "np.sum(x, axis=0) * x * x",
    "np.max(x, axis=-1) * x",
    "np.flip(x) * x",
]
SHARED = ["key = (..., 0); x[key] += w", "x[..., 1] = w", "x[0, ...] = w * 1.0"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("told", [True, False])
def test_value_and_gradient_of_a_number(form, told, tmp_path):
    f = written(f"def f(x):\n    return {form}\n", tmp_path)
    x, h = np.float64(0.7), 1e-30j
    facts = {"shapes": {"x": ""}} if told else {}
    seed = np.ones_like(f(x))[()]
    value, gradient = gradgen.value_and_grad(f, **facts)(x, seed=seed)
    assert np.shape(value) == np.shape(f(x)) and np.shape(gradient) == ()
    np.testing.assert_allclose(value, f(x), rtol=1e-13)
    slope = np.sum(f(x + h)).imag / 1e-30
    np.testing.assert_allclose(gradient, slope, rtol=1e-12)


@pytest.mark.parametrize("line", SHARED)
def test_an_entry_behind_an_ellipsis_is_no_part_of_the_seed(line, tmp_path):
    text = f"def f(x, w):\n    x = x.copy()\n    {line}\n    return x\n"
    f = written(text, tmp_path)
    x, seed = np.arange(3.0), np.array([0.5, 1.5, 2.5])
    space = {}
    exec(gradgen.emit(f, wrt="w", shapes={"x": "n", "w": ""}), space)
    got = space["grad_f"](x, 2.0, seed)
    assert np.shape(got) == () and not np.shares_memory(got, seed)
    assert got == seed[1 if "1] =" in line else 0]


@pytest.mark.parametrize("x", [0.7, np.float32(0.7), np.array(0.7)], ids=repr)
@pytest.mark.parametrize(
    "form",
    [
        "special.logsumexp(x, axis=0, keepdims=True)",
        "special.logsumexp(x, keepdims=True) * x",
        "x * 3 - special.logsumexp(x * x, axis=-1, keepdims=True)",
        "special.logsumexp(x * x, axis=-1) * x",
    ],
)
def test_what_scipy_gives_one_axis(form, x, tmp_path):
    f = written(f"from scipy import special\ndef f(x):\n    return {form}\n", tmp_path)
    gradient = gradgen.grad(f)(x, seed=np.ones_like(f(x)))
    assert (
        np.shape(gradient) == () and np.asarray(gradient).dtype == np.asarray(x).dtype
    )
    slope = (np.sum(f(0.7 + 1e-6)) - np.sum(f(0.7 - 1e-6))) / 2e-6
    np.testing.assert_allclose(gradient, slope, rtol=1e-5)


@pytest.mark.parametrize("x", [0.7, np.float64(0.7), np.array(0.7)], ids=repr)
@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize(
    "form",
    [
        "np.sum(x * x, axis=axis)",
        "np.abs(x).max(axis=axis) * x",
        "np.min(x, axis=axis) ** 2",
        "np.nanmean(np.asarray(x), axis=axis) * 3",
    ],
)
def test_a_number_along_an_axis_that_is_a_default(form, axis, x, tmp_path):
    f = written(f"def f(x, axis={axis}):\n    return {form}\n", tmp_path)
    slope = (f(np.float64(0.7 + 1e-6)) - f(np.float64(0.7 - 1e-6))) / 2e-6
    value, gradient = gradgen.value_and_grad(f)(x)
    assert value == f(x) and np.shape(gradient) == ()
    np.testing.assert_allclose(gradient, slope, rtol=1e-8)

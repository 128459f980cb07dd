"""Lists that a loop fills in np.concatenate, np.hstack and np.vstack: any lengths."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

FORMS = {
    "pieces": """
def f(x, n):
    out = []
    for i in range(n):
        out.append(x[i:] * x[0])
    return np.sum(np.concatenate(out) ** 3)
""",
    "again": """
def f(x, n):
    out = [x]
    for i in range(n):
        out.append(np.sin(out[-1]))
    return np.sum(np.hstack(out) ** 2)
""",
    "nested": """
def f(x, n):
    rows = []
    for i in range(n):
        cols = []
        for j in range(i + 1):
            cols.append(x[j : j + 2] * x[i])
        rows.append(np.hstack(cols))
    return np.sum(np.concatenate(rows, axis=-1) ** 2)
""",
    "columns": """
def f(x, n):
    out = []
    for i in range(n):
        out.append(np.outer(x, x[i:]))
    whole = np.concatenate(out, axis=1)
    return np.sum(whole * np.cos(np.arange(whole.size)).reshape(whole.shape))
""",
    "beside": """
def f(x, n):
    out = []
    for i in range(n):
        out.append(np.outer(x, x[i:]))
    return np.sum(np.hstack(out)[1] ** 2)
""",
    "above": """
def f(x, n):
    out = []
    for i in range(n):
        out.append(np.outer(x[i:], x) + x[i])
    return np.sum(np.vstack(out)[-2] ** 2)
""",
    "twice": """
def f(x, n):
    out = []
    for i in range(n):
        out += [x[i : i + 1], x[:2] ** 2]
    return np.sum(np.concatenate(out)[::-1] * np.concatenate(out, 0)) + np.sum(out[0])
""",
    "refilled": """
def f(x, n):
    out = []
    for i in range(n):
        out.append(x[i : i + 1])
    w = np.concatenate(out)
    for i in range(n):
        out[i] = w[i:] * x[0]
    return np.sum(np.concatenate(out) ** 2)
""",
    "comprehension": """
def f(x, n):
    return np.sum(np.hstack([x[i:] * x[i] for i in range(n)]) ** 2)
""",
    "masked": """
def f(x, n):
    out = []
    for i in range(n):
        part = x[i:]
        out.append(part[part > 0.8] ** 2)
    return np.sum(np.hstack(out) * np.hstack(out))
""",
}
COUNT = 18  # more rounds than are written one by one


def function_of(form, tmp_path):
    return written(FORMS[form], tmp_path)


def slope(f, x, n):
    """The gradient by complex steps, of a function that is analytic."""
    steps = np.eye(len(x)) * 1e-30j
    return np.array([f(x + step, n).imag / 1e-30 for step in steps])


@pytest.mark.parametrize("form", FORMS)
def test_gradient_with_nothing_told(form, tmp_path):
    f = function_of(form, tmp_path)
    x = np.linspace(0.3, 1.7, 20)
    value, gradient = gradgen.value_and_grad(f)(x, COUNT)
    np.testing.assert_allclose(value, f(x, COUNT), rtol=1e-12)
    wanted = numeric_gradient(f, [x, COUNT], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)
    assert gradgen.grad(f)(x.astype(np.float32), COUNT).dtype == np.float32


@pytest.mark.parametrize("form", [one for one in FORMS if one != "masked"])
def test_second_order(form, tmp_path):
    f = function_of(form, tmp_path)
    x, v = np.linspace(0.3, 1.7, 20), np.cos(np.arange(20.0))
    tangent = gradgen.jvp(f, wrt="x")(x, COUNT, v)[1]
    np.testing.assert_allclose(tangent, slope(f, x, COUNT) @ v, rtol=1e-9)
    h = 1e-5
    wanted = (slope(f, x + h * v, COUNT) - slope(f, x - h * v, COUNT)) / (2 * h)
    product = gradgen.hvp(f, wrt="x")(x, COUNT, v)
    np.testing.assert_allclose(product, wanted, rtol=1e-6, atol=1e-6)


def test_the_seed_is_not_changed(tmp_path):
    text = FORMS["again"].replace("np.sum(np.hstack(out) ** 2)", "np.concatenate(out)")
    f = written(text, tmp_path)
    x = np.linspace(0.3, 1.7, 20)
    seed = np.cos(np.arange(20.0 * (COUNT + 1)))
    before = seed.copy()
    got = gradgen.grad(f)(x, COUNT, seed=seed)
    np.testing.assert_array_equal(seed, before)
    wanted = numeric_gradient(f, [x, COUNT], 0, seed).value
    np.testing.assert_allclose(got, wanted, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("form", ["pieces", "columns", "twice"])
def test_emitted_with_nothing_told(form, tmp_path):
    f = function_of(form, tmp_path)
    x = np.linspace(0.3, 1.7, 20)
    space = {}
    exec(gradgen.emit(f, wrt="x"), space)
    wanted = numeric_gradient(f, [x, COUNT], 0).value
    np.testing.assert_allclose(space["grad_f"](x, COUNT), wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("target", ["cupy", "jax", "torch"])
def test_other_libraries_take_no_lists_of_lengths(target, tmp_path):
    f = function_of("pieces", tmp_path)
    with pytest.raises(GradgenError, match="GG70"):
        gradgen.emit(f, wrt="x", target=target, shapes={"x": "n"})

"""Texts with functions of their own, which are handed arrays of integers."""

import math

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

# each of a helper that is called in several places, with nothing told of x
FORMS = {
    "an array that a loop fills": """
        def h(x, k):
            s = 1.0
            for i in range(len(x)):
                s = s * (x[i] + k)
            return s

        def f(x):
            return h(x, 0.5) + h(x, 1.5) * h(x, 2.0)
        """,
    "parts that are stored and added to": """
        def h(x):
            return x[0] * 0.5 + x[1:] @ x[:-1]

        def f(x):
            return h(x) * h(x[::-1]) + h(2 * x)
        """,
    "a helper that calls another": """
        def inner(x):
            y = 0.0
            for v in x:
                y = 0.3 * y + v * v
            return y

        def h(x, k):
            return inner(x) * k + inner(x[1:]) * x[0]

        def f(x):
            return h(x, 0.7) * h(x, 1.3)
        """,
    "one that calls itself": """
        def h(x):
            if len(x) == 1:
                return x[0] * 1.5
            m = len(x) // 2
            return h(x[:m]) * 0.5 + h(x[m:]) * x[0]

        def f(x):
            return h(x) ** 2
        """,
    "arrays that are made like the argument": """
        def h(x, w):
            y = np.zeros(len(x))
            for i in range(1, len(x)):
                y[i] = 0.5 * y[i - 1] + w * x[i] * x[i - 1]
            return y

        def f(x):
            return np.sum(h(x, 0.3) ** 2) + h(x, 0.7)[-1] * h(x, 0.1)[1]
        """,
}
OPTIONS = ({}, {"keep_calls": True}, {"keep_calls": True, "style": "callback"})


def along(function, x):
    """The gradient by differences, extrapolated."""
    found = []
    for unit in np.eye(len(x)):
        one, half = (
            (function(x + h * unit) - function(x - h * unit)) / (2 * h)
            for h in (1e-3, 5e-4)
        )
        found.append((4 * half - one) / 3)
    return np.array(found)


@pytest.mark.parametrize("options", OPTIONS, ids=("plain", "kept", "callback"))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", (int, np.int8, float, np.float32))
def test_no_fraction_is_cut_off(form, options, dtype, tmp_path):
    function = written(FORMS[form], tmp_path)
    x = np.array([2, 3, 4, 1]).astype(dtype)
    want = 0.3 * along(function, x.astype(float))
    space: dict = {}
    exec(gradgen.emit(function, **options), space)
    if "style" in options:
        _, pullback = space["vjp_f"](x)
        found = pullback(0.3)
    else:
        found = space["grad_f"](x, 0.3)
    np.testing.assert_allclose(found, want, rtol=1e-5)
    assert found.dtype == (dtype if x.dtype.kind == "f" else float)


def test_what_a_helper_is_told_is_floating():
    """With a fact the argument is an array of floats, and the text says no more."""
    text = gradgen.emit(product_of_two, shapes={"x": "n"}, keep_calls=True)
    assert "result_type" not in text


def product(x, k):
    s = 1.0
    for i in range(len(x)):
        s = s * (x[i] + k)
    return s


def product_of_two(x):
    return product(x, 0.5) * product(x, 1.5)


DEFAULTS = {
    "a number left out before an array": """
        def h(x, c=2.0, y=0.0):
            out = y
            for v in x:
                out = out * v + c
            return out

        def f(x):
            a = x * 1.5
            r = h(x, y=a)
            return np.sum(r * r) + h(x) * h(x, c=x[0])
        """,
    "arrays by keyword behind one left out": """
        def h(x, c=2.0, y=0.0, z=1.0):
            out = y
            if np.sum(x) > 0:
                out = x * c * z
            return out

        def f(x):
            a, b = x * 1.5, np.sin(x)
            r = h(-x, z=b, y=a)
            q = h(x, z=a, y=b)
            s = np.sum(r**2 * b) * np.sum(q)
            a[0] = 7.0
            return s + a @ x
        """,
    "a keyword alone": """
        def h(x, *, start=1):
            out = start
            for v in x:
                out = out * v
            return out

        def f(x):
            return h(x) + h(x, start=x[0]) + np.sum(h(x, start=0.5 * x))
        """,
}


@pytest.mark.parametrize("fast", (False, True))
@pytest.mark.parametrize("form", DEFAULTS)
def test_arguments_that_are_left_to_their_defaults(form, fast, tmp_path):
    function = written(DEFAULTS[form], tmp_path)
    x = np.array([0.7, 1.1, -0.4, 0.9])
    space: dict = {}
    exec(gradgen.emit(function, keep_calls=True, fast=fast), space)
    kept = x.copy()
    np.testing.assert_allclose(space["grad_f"](x), along(function, x), rtol=1e-7)
    np.testing.assert_array_equal(x, kept)


@pytest.mark.parametrize("start", (False, True))
def test_a_product_of_pythons_stays_a_call(start):
    def plain(x):
        return math.prod(x)

    def started(x):
        return math.prod(x, start=x[0])

    function = started if start else plain
    x = np.array([0.7, 1.1, -0.4])
    space: dict = {}
    exec(gradgen.emit(function, keep_calls=True), space)
    found = space[f"grad_{function.__name__}"](x)
    np.testing.assert_allclose(found, along(function, x), rtol=1e-8)

"""try blocks around Python's math: where it raises, the handler's values count."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

FORMS = {
    "sqrt": ("r = math.sqrt(x[0] - 1.0)", "ValueError"),
    "log": ("r = math.log(x[0] - 1.0) + x[1]", "ValueError"),
    "acos": ("r = math.acos(9 * x[1])", "(ValueError, TypeError)"),
    "exp": ("r = math.exp(9000 * x[1])", "OverflowError"),
    "any": ("r = math.pow(x[0] - 1.0, 0.5)", "Exception"),
    "unread": ("z = math.sqrt(x[0] - 1.0); r = x[0]", "ValueError"),
    "asked": ("math.sqrt(x[0] - 1.0); r = x[0]", "ValueError"),
    "not raised": ("r = math.sqrt(x[0]) * x[1]", "ValueError"),
    "in a call": ("r = root(x[0] - 1.0) * x[1]", "ValueError"),
    "in calls": ("r = over(x[0] - 1.0) * x[1]", "ValueError"),
}
TEXT = """
import math

def root(v):
    return math.sqrt(v) + 1.0

def over(v):
    return 2.0 * root(v)

def f(x):
    try:
        {body}
    except {kind}:
        r = 5.0 * x[1]
    return r * x[2]

def loop(x):
    s = 0.0
    for v in x:
        try:
            s += math.log(v - 0.6)
        except ValueError:
            s += v * 3
    return s

def divided(x, d):
    try:
        r = x[0] / d
    except ZeroDivisionError:
        r = 5.0 * x[1]
    return r * x[2]

def ratio(x, d):
    try:
        r = d / (d - 2.0)
    except ZeroDivisionError:
        r = 5.0 * x[1]
    return r * x[2]

def converted(x):
    try:
        r = 1.0 / float(x[0])
    except ZeroDivisionError:
        r = 5.0 * x[1]
    return r * x[2]
"""
X = np.array([0.5, 1.2, 0.7])


@pytest.mark.parametrize("form", FORMS)
def test_the_handler_of_what_math_raises(form, tmp_path):
    body, kind = FORMS[form]
    f = written(TEXT.format(body=body, kind=kind), tmp_path)
    wanted = numeric_gradient(f, [X], 0).value
    value, gradient = gradgen.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-13)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-9)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space["grad_f"](X), wanted, rtol=1e-6, atol=1e-9)


def test_a_handler_in_a_loop(tmp_path):
    text = TEXT.format(body="r = x[0]", kind="ValueError")
    f = written(text, tmp_path, function="loop")
    wanted = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("function", ["divided", "ratio"])
@pytest.mark.parametrize("d", [2.0, 2, 0.5])
def test_a_division_by_zero_of_numbers(function, d, tmp_path):
    text = TEXT.format(body="r = x[0]", kind="ValueError")
    f = written(text, tmp_path, function=function)
    wanted = numeric_gradient(f, [X, d], 0).value
    got = gradgen.grad(f, wrt="x")(X, d)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-9)
    space = {}
    exec(gradgen.emit(f, wrt="x"), space)
    got = space[f"grad_{function}"](X, d)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-9)


def test_a_division_of_what_float_makes_is_refused(tmp_path):
    text = TEXT.format(body="r = x[0]", kind="ValueError")
    f = written(text, tmp_path, function="converted")
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.grad(f)(X)

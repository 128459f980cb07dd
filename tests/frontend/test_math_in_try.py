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


AROUND = """
import contextlib, functools, math

class Roots:
    def root(self, v):
        return math.sqrt(v)

    def __call__(self, v):
        return self.root(v)

HELD = Roots()
ERRORS = (ValueError, TypeError)
"""
WHOLE = {
    "suppressed": """
    r = x[1]
    with contextlib.suppress(ValueError):
        r = math.sqrt(x[0] - 1)
    return r * x[2]""",
    "suppressed matrix": """
    r = x[1]
    with contextlib.suppress(np.linalg.LinAlgError):
        r = np.linalg.inv(np.outer(x, x) * 0)[0, 0]
    return r * x[2]""",
    "the second handler": """
    try:
        r = math.sqrt(x[0] - 1)
    except (TypeError, KeyError):
        r = x[1]
    except ValueError:
        r = x[0]
    return r * x[2]""",
    "a handler that raises": """
    try:
        r = math.sqrt(x[0] - 1)
    except TypeError:
        raise
    except ValueError:
        r = x[0]
    return r * x[2]""",
    "any of a matrix": """
    try:
        r = np.linalg.cholesky(-np.outer(x, x))[0, 0]
    except Exception:
        r = x[1]
    return r * x[2]""",
    "bare": """
    try:
        r = np.linalg.inv(np.outer(x, x) * 0)[0, 0]
    except:
        r = x[1]
    return r * x[2]""",
    "continue": """
    s = 0.0
    for v in x:
        try:
            t = math.log(v - 0.6)
        except ValueError:
            continue
        s += t * v
    return s""",
    "break": """
    s = 0.0
    for v in x[::-1]:
        try:
            t = math.log(v - 0.6)
        except ValueError:
            break
        s += t * v
    return s + x[0]""",
    "else and finally": """
    try:
        r = math.sqrt(x[0] - 1)
    except ValueError:
        r = x[1]
    else:
        r = r * 100
    finally:
        q = x[2]
    return r * q""",
    "None": """
    try:
        r = math.sqrt(x[0] - 1)
    except ValueError:
        r = None
    return x[1] if r is None else r * x[2]""",
    "mapped": """
    try:
        t = sum(map(math.sqrt, x - 0.6))
    except ValueError:
        t = x[2]
    return t * x[1]""",
    "in a table": """
    g = {"s": math.sqrt}
    try:
        t = g["s"](x[0] - 1)
    except ValueError:
        t = x[2]
    return t * x[1]""",
    "a partial": """
    h = functools.partial(math.pow, x[0] - 1)
    try:
        t = h(0.5)
    except ValueError:
        t = x[2]
    return t * x[1]""",
    "a method": """
    try:
        t = HELD.root(x[0] - 1)
    except ValueError:
        t = x[2]
    return t * x[1]""",
    "an instance": """
    k = Roots()
    try:
        t = k(x[0] - 1)
    except ValueError:
        t = x[2]
    return t * x[1]""",
    "a tuple of the module": """
    try:
        r = math.sqrt(x[0] - 1)
    except ERRORS:
        r = x[0]
    return r * x[2]""",
    "suppressed tuple": """
    r = x[1]
    with contextlib.suppress(*ERRORS):
        r = math.sqrt(x[0] - 1)
    return r * x[2]""",
    "nested": """
    try:
        try:
            r = math.sqrt(x[0] - 1)
        except TypeError:
            r = x[0]
    except ValueError:
        r = x[1]
    return r * x[2]""",
}


@pytest.mark.parametrize("form", WHOLE)
def test_blocks_of_every_kind(form, tmp_path):
    text = f"{AROUND}\ndef f(x):{WHOLE[form]}\n"
    f = written(text, tmp_path)
    wanted = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-6, atol=1e-9)


def test_several_handlers_that_go_on_are_refused(tmp_path):
    text = """
    import math
    def f(x):
        try:
            r = math.exp(x[0] * 1e4)
        except ValueError:
            r = x[1]
        except OverflowError:
            r = x[2]
        return r
    """
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.grad(written(text, tmp_path))(X)


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

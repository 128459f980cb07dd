"""Exceptions that a function handles, where its text has the body of the try block alone."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.afresh import X
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = "import math\n\nimport numpy as np\n\n\n"
LOOP = "def f(x):\n    s = 0.0\n    for i, e in enumerate(x):\n        try:\n            {}\n"
BODIES = (
    "s += x[i + 2] * e",
    "s += [1.0, None, 2.0, 3.0][i] * e",
    "s += float(['1', 'a', '2', '3'][i]) * e",
    "s += np.sum(x[: i + 1] * x[:3])",
)
READ = (
    "s += len(error.args) * e",
    "s += getattr(error, 'v', 1.0) * e",
    "w = error\n            s += w.args[0]",
)


def refusal(body, handler):
    text = HEAD + LOOP.format(body) + f"        except {handler}\n    return s\n"
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(imported(text, "f"))(X.copy())
    return caught.value


@pytest.mark.parametrize("body", BODIES)
def test_what_is_raised_and_handled_is_refused_where_the_text_raises(body):
    found = refusal(body, "Exception:\n            s += 2 * e")
    assert found.code == "GG113"
    assert "handled" in str(found)


DIVIDED = ("s += 1.0 / (1 - i) * e", "s = s * 2\n            s += 1.0 / (1 - i)")


@pytest.mark.parametrize("door", ["call", "text"])
@pytest.mark.parametrize(
    "handler", ["Exception", "ArithmeticError", "ZeroDivisionError"]
)
@pytest.mark.parametrize("body", DIVIDED)
def test_a_division_that_raises_is_right_or_refused(body, handler, door):
    text = HEAD + LOOP.format(body)
    text += f"        except {handler}:\n            s += 2 * e\n    return s\n"
    f = imported(text, "f")
    try:
        if door == "call":
            got = gradgen.grad(f)(X.copy())
        else:
            names: dict = {}
            exec(gradgen.emit(f), names)
            got = names["grad_f"](X.copy())
    except gradgen.GradgenError as refusal:
        assert refusal.code == "GG113"
        return
    np.testing.assert_allclose(got, numeric_gradient(f, [X.copy()], 0).value, rtol=1e-6)


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("body", ("s += math.sqrt(e)", "s += math.log(e)"))
def test_an_exception_that_is_read_is_refused(body, read):
    found = refusal(body, f"Exception as error:\n            {read}")
    assert found.code == "GG113"
    assert "error" in str(found)


def test_an_exception_that_is_not_read_is_a_branch():
    text = HEAD + LOOP.format("s += math.sqrt(e)")
    text += (
        "        except ValueError as error:\n            s += 2 * e\n    return s\n"
    )
    got = gradgen.grad(imported(text, "f"))(X.copy())
    np.testing.assert_allclose(got, np.where(X > 0, 0.5 / np.sqrt(np.abs(X)), 2.0))


def test_an_error_of_the_function_itself_is_raised():
    text = HEAD + "def f(x):\n    return x[7] * x[0]\n"
    with pytest.raises(IndexError):
        gradgen.grad(imported(text, "f"))(X.copy())

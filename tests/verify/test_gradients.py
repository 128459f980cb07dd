"""examine: each way in which an emitted function can be wrong is seen, and told."""

import numpy as np
import pytest

from gradgen.frontend.source.source import find
from gradgen.verify.gradients import Unmeasured, Wrong, examine, function_in
from gradgen.verify.held import Measured
from gradgen.verify.inputs import known_parameters
from gradgen.verify.report import Checked
from gradgen.verify.subject import Subject


def squares(X, w):
    return np.sum(w * X * X)


def product(X, w):
    return X * w


def stopped(X):
    scale = np.exp(np.sum(X))
    return np.sum(X * scale)


def subject(primal, text, wrt=("X",), style="joint", value=False, stop=(), **facts):
    source = find(primal)
    parameters = known_parameters(source, primal, facts)
    names = [parameter.name for parameter in parameters]
    function = function_in("import numpy as np\n" + text)
    measured = Measured(primal, source, names, stop)
    return Subject(function, measured, parameters, wrt, style, value)


def joint(result: str, head: str = "grad_f(X, w, d_out=1.0)") -> str:
    return f"def {head}:\n    return {result}\n"


FACTS = {"X": "n d", "w": "d"}


def test_a_right_gradient_is_checked_at_many_points():
    right = joint("2 * d_out * w * X, np.sum(d_out * X * X, axis=0)")
    found = examine(subject(squares, right, ("X", "w"), **FACTS))
    assert isinstance(found, Checked)
    assert found.points == 12 and set(found.errors) == {"X", "w"}
    assert max(found.errors.values()) < 1e-9
    assert "12 points" in str(found)


@pytest.mark.parametrize(
    "result, words",
    [
        ("2.001 * d_out * w * X", "d_X["),
        ("2 * d_out * w * X + (X > 1) * 1e-3", "d_X["),
        ("2 * w * X", "d_X["),
        ("2 * d_out * (w * X).T", "the shape of d_X is (4, 3), not (3, 4)"),
        ("np.float64(2) * d_out * w * X", "the dtype of d_X is float64, not float32"),
        ("2 * d_out * w * X * np.nan", "d_X[0, 0] is nan"),
        ("np.multiply(X, 2, out=X) * w * d_out", "it writes into the argument X"),
        ("2 * d_out * v * X", "it fails with NameError"),
        ("(2 * d_out * w * X, w)", "2 gradients for 1 arguments"),
        ("None", "type NoneType"),
    ],
)
def test_a_wrong_gradient_is_seen(result, words):
    found = examine(subject(squares, joint(result), **FACTS), seed=3)
    assert isinstance(found, Wrong)
    assert words in str(found)
    assert str(found).endswith(", seed 3")


def test_the_value_is_the_primals_to_the_last_bit():
    head = "value_and_grad_f(X, w, d_out=1.0)"
    right = joint("np.sum(w * X * X), 2 * d_out * w * X", head)
    assert examine(subject(squares, right, value=True, **FACTS))
    other = joint("np.sum(w * (X * X)), 2 * d_out * w * X", head)
    found = examine(subject(squares, other, value=True, **FACTS))
    assert isinstance(found, Wrong) and "the value is" in str(found)


CALLBACK = """
def vjp_f(X, w):
    out = X * w
    kept = [w]

    def backprop(d_out):
        return d_out * kept{use}

    return out, backprop
"""


def test_a_callback_is_called_twice():
    for use, right in (("[-1]", True), (".pop()", False)):
        text = CALLBACK.format(use=use)
        found = examine(subject(product, text, style="callback", **FACTS))
        assert isinstance(found, Checked if right else Wrong)


def test_held_variables_are_held_in_the_measurement():
    held = joint("np.exp(np.sum(X)) * d_out + 0 * X", "grad_f(X, d_out=1.0)")
    assert isinstance(examine(subject(stopped, held, stop=("scale",), X="n")), Checked)
    assert isinstance(examine(subject(stopped, held, X="n")), Wrong)


def test_arguments_without_facts_are_guessed():
    text = joint("2 * d_out * w * X")
    found = examine(subject(squares, text))
    assert isinstance(found, Checked) and found.points == 36


def test_a_primal_that_takes_none_of_the_arguments_is_not_measured():
    def picky(X):
        raise ValueError

    found = examine(subject(picky, joint("X", "grad_f(X, d_out=1.0)"), X="n"))
    assert isinstance(found, Unmeasured) and "no arguments were found" in found.why


def test_the_domain_of_a_function_is_found():
    def logs(X):
        return np.sum(np.log(X) + np.sqrt(1 - X))

    text = "d_out * (1 / X - 0.5 / np.sqrt(1 - X))"
    found = examine(subject(logs, joint(text, "grad_f(X, d_out=1.0)"), X="n"))
    assert isinstance(found, Checked) and found.points == 12

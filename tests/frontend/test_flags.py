"""Options that are members of enums: known at hand, tested in a text."""

import enum

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 1.2, -0.4, 0.9])


class Form(enum.Flag):
    A = 1
    B = 2


class Way(enum.Enum):
    A = 1
    B = 2


def both(x, form=Form.A):
    return np.sum(x) if form & Form.A else np.sum(x**2)


def combined(x, form=Form.A | Form.B):
    if (form & Form.B) == Form.B:
        x = x * 3
    if form & Form.A:
        x = np.sin(x)
    return np.sum(x)


def negated(x, form=Form.A):
    if not form & Form.B:
        return np.sum(x)
    return np.sum(x * x)


def either(x, form=Way.A):
    if form is Way.A:
        return np.sum(x)
    return np.sum(x * x)


CASES = [(f, one) for f in (both, combined, negated) for one in (*Form, Form(3))]
CASES += [(either, one) for one in Way]


@pytest.mark.parametrize(("function", "member"), CASES)
def test_the_member_at_hand_decides(function, member):
    want = numeric_gradient(lambda x: function(x, member), [X], 0).value
    got = gradgen.grad(function)(X, member)
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("function", [both, combined, negated, either])
def test_a_text_takes_the_default_alone(function):
    names: dict = {}
    exec(gradgen.emit(function), names)
    gradient = names[f"grad_{function.__name__}"]
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradient(X), want, rtol=1e-6)
    for member in (Form.B, Way.B):
        with pytest.raises(ValueError, match="form"):
            gradient(X, member)


def test_a_member_with_what_is_not_known_is_refused():
    def asked(x, form):
        return np.sum(x) if form & Form.A else np.sum(x * x)

    with pytest.raises(gradgen.GradgenError, match="GG211"):
        gradgen.emit(asked)

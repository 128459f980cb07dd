"""What a branch hands on is known by the arms that have a value: no guard where none is due."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def one_arm(x, kind="soft"):
    if kind == "soft":
        y = np.log1p(np.exp(x))
    else:
        y = x
    return np.sum(y)


def quotients(x, kind="soft"):
    if kind == "soft":
        y = np.sqrt(1 + x**2) / (1 + np.exp(x))
    elif kind == "hard":
        y = x / (2 + np.abs(x))
    else:
        raise ValueError(kind)
    return np.sum(y)


def both_arms(x, kind="soft"):
    if kind == "soft":
        below = 1 + np.exp(x)
    else:
        below = 2 + x**2
    return np.sum(x / below)


FREE = [one_arm, quotients, both_arms]


@pytest.mark.parametrize("function", FREE, ids=lambda f: f.__name__)
def test_no_guard_where_no_arm_divides_by_zero(function):
    plain = gradgen.emit(function, shapes={"x": "n"})
    guarded = gradgen.emit(function, shapes={"x": "n"}, guard=True)
    assert "guard" not in guarded.partition("import numpy")[2], guarded
    assert plain.partition("import")[2] == guarded.partition("import")[2]


def may_be_zero(x, kind="soft"):
    if kind == "soft":
        below = 1 + np.exp(x)
    else:
        below = np.abs(x)
    return np.sum(x**2 / below)


def of_the_argument(x, kind="soft"):
    below = np.exp(x) if kind == "soft" else x
    return np.sum(x**2 / below)


def of_the_last_round(x, kind="soft"):
    below = 1.0
    total = 0.0
    for i in range(len(x)):
        if kind == "soft":
            below = below * x[i]
        total = total + x[i] ** 3 / below
    return total


@pytest.mark.parametrize(
    "function", [may_be_zero, of_the_argument], ids=lambda f: f.__name__
)
def test_a_guard_where_one_arm_may(function):
    x = np.array([0.0, 0.5, -1.5])
    guarded = gradgen.grad(function, shapes={"x": "n"}, guard=True)
    with np.errstate(all="ignore"):
        assert np.all(np.isfinite(guarded(x, "hard")))
    found, at = guarded(x[1:], "hard"), x[1:]
    truth = numeric_gradient(function, (at, "hard"), 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-7)


def test_a_guard_where_a_round_may():
    guarded = gradgen.emit(of_the_last_round, shapes={"x": "n"}, guard=True)
    assert "guard:" in guarded

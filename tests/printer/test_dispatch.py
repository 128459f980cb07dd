"""A choice by a string prints as if, elif and else; what it raises is told as written."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.4, 0.9])


def activated(x, kind="tanh"):
    if kind == "tanh":
        y = np.tanh(x)
    elif kind == "relu":
        y = np.maximum(x, 0)
    elif kind == "sigmoid":
        y = 1 / (1 + np.exp(-x))
    else:
        raise ValueError(kind)
    return np.sum(y * y)


def added(x, kind="sin"):
    if kind == "sin":
        y = np.sin(x)
    elif kind == "cube":
        y = x**3
    else:
        raise ValueError("no " + str(kind) + f" for {len(x)}" + "!")
    return np.sum(y * x)


def inside(x, kind="sin"):
    for _ in range(2):
        if kind == "sin":
            x = np.sin(x)
        elif kind == "cube":
            x = x**3
        else:
            raise KeyError("no " + kind)
    return np.sum(x)


KINDS = [
    (activated, ("tanh", "relu", "sigmoid"), ValueError, "none"),
    (added, ("sin", "cube"), ValueError, "no none for 3!"),
    (inside, ("sin", "cube"), KeyError, "no none"),
]


@pytest.mark.parametrize("shapes", ({"x": "n"}, None), ids=("told", "nothing told"))
@pytest.mark.parametrize(
    "function, kinds, error, said", KINDS, ids=lambda v: str(v)[:20]
)
def test_each_way_is_right_and_the_last_raises(function, kinds, error, said, shapes):
    text = gradgen.emit(function, shapes=shapes)
    names: dict = {}
    exec(text, names)
    gradient = names[f"grad_{function.__name__}"]
    for kind in kinds:
        want = numeric_gradient(function, [X, kind], 0, 1.0).value
        np.testing.assert_allclose(gradient(X, kind), want, rtol=1e-8, atol=1e-12)
    for called in (function, gradient):
        with pytest.raises(error) as raised:
            called(X, "none")
        assert raised.value.args == (said,)


@pytest.mark.parametrize("function", (activated, added, inside))
def test_the_way_back_is_written_with_elif(function):
    text = gradgen.emit(function, shapes={"x": "n"})
    forward, back = text.split("# Grad of:", 1)
    assert "elif kind ==" in forward
    # no arm for what has raised: two ways are if and else
    assert ("elif kind ==" in back) == (function is activated)
    assert "zeros" not in back and back.count("else:") == 1
    lines = [line.strip() for line in back.split("\n")]
    pairs = zip(lines, lines[1:])
    assert not any(
        one.startswith("else") and two.startswith("if") for one, two in pairs
    )


def rectified(x, kind="relu"):
    if kind == "relu":
        y = np.maximum(x, 0)
    elif kind == "tanh":
        y = np.tanh(x)
    else:
        raise ValueError(kind)
    return np.sum(y)


def test_what_only_one_arm_needs_is_asked_for_without_not():
    text = gradgen.emit(rectified)
    assert 'if kind != "relu":' in text and "not kind" not in text


def either(x, kind="exp"):
    if kind == "exp":
        y = np.exp(x)
    else:
        y = np.tanh(x)
    return np.sum(y)


def of_two(x, y, kind="exp"):
    if kind == "exp":
        y = np.exp(x)
    else:
        y = np.tanh(x + y)
    return np.sum(y)


def whole(x, kind="exp"):
    if kind == "exp":
        y = np.exp(x)
    else:
        y = np.tanh(np.sum(x))
    return np.sum(y)


@pytest.mark.parametrize("function", (either, of_two, whole))
def test_what_both_arms_keep_is_one_variable(function):
    args = [X, np.array([0.2, 0.5, -0.6])][: 2 if function is of_two else 1]
    text = gradgen.emit(function, shapes=dict(zip("xy", ["n"] * len(args))))
    assert ("y_new" in text) == (function is whole)  # of another shape
    names: dict = {}
    exec(text, names)
    for kind in ("exp", "tanh"):
        want = numeric_gradient(function, [*args, kind], 0, 1.0).value
        got = names[f"grad_{function.__name__}"](*args, kind)
        np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-12)

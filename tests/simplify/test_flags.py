"""Flags of branches: the text asks what they stand for, and goes the same way."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, -0.7, 1.3])


def chosen(x, kind="call"):
    if kind == "call":
        p = 2 * x
    elif kind == "put":
        p = 3 * x
    elif kind == "both":
        p = x**2
    return np.sum(np.sin(p))


def by_numbers(x, a, b):
    if a > b:
        q = x * a
        large = True
    else:
        q = x
        large = b > 2
    if large:
        q = q * b
    return np.sum(q**2)


def small(x, a, b):
    if a > b:
        inside = b > 0.5
        q = x * a
    else:
        inside = False
        q = x + b
    if not inside and a < 3:
        q = np.cos(q)
    return np.sum(q)


def unless(x, a, b):
    if a > b:
        stays = False
    else:
        stays = True
    q = x * a
    if stays:
        q = q**2
    return np.sum(q)


def returned(x, a, b):
    flag = True if a > b else b > 2
    return np.sum(x * flag), flag


def counted(x, a, b):
    hits = 0
    for i in range(len(x)):
        if x[i] > a:
            hit = True
        else:
            hit = x[i] < b
        if hit:
            hits = hits + x[i] ** 2
    return hits


def changed(x, a, b):
    y = x.copy()
    if a > b:
        over = y[0] > 0
        y[0] = -5.0
    else:
        over = True
        y[1] = a
    if over:
        y = y * 3
    return np.sum(y**2)


def tried(x, a, b):
    matrix = np.outer(x, x) + np.eye(len(x)) * (a - b)
    try:
        y = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        y = matrix**2
    return np.sum(y * x)


NUMBERS = [(1.0, 2.5), (2.5, 1.0), (0.7, 0.2), (4.0, 0.6), (1.0, 1.0)]
CASES = [(chosen, (kind,)) for kind in ("call", "put", "both")]
CASES += [
    (f, given)
    for f in (by_numbers, small, unless, counted, changed, tried)
    for given in NUMBERS
]


def gradient_of(function, **told):
    text, names = gradgen.emit(function, wrt="x", **told), {}
    exec(text, names)
    return text, names[f"grad_{function.__name__}"]


@pytest.mark.parametrize("told", [{}, {"shapes": {"x": "n"}}])
@pytest.mark.parametrize("function, given", CASES)
def test_the_way_is_the_same(function, given, told):
    _, gradient = gradient_of(function, **told)
    want = numeric_gradient(function, [X, *given], 0).value
    np.testing.assert_allclose(gradient(X, *given), want, rtol=1e-7, atol=1e-9)


def test_no_flag_is_left():
    for function, words in (
        (chosen, 'if not (kind == "call" or kind == "put" or kind == "both")'),
        (unless, "if not a > b"),
    ):
        text, _ = gradient_of(function)
        assert "True" not in text and "_new" not in text
        assert words in text or words.replace("not a > b", "a <= b") in text, text


def test_what_has_no_value_raises():
    _, gradient = gradient_of(chosen)
    with pytest.raises(UnboundLocalError, match="p has no value"):
        gradient(X, "other")


@pytest.mark.parametrize("given", NUMBERS)
def test_a_flag_that_is_a_result_stays_one(given):
    text = gradgen.emit(returned, wrt="x", value=True)
    names: dict = {}
    exec(text, names)
    found, d_x = names["value_and_grad_returned"](X, *given, 1.0)
    assert type(found[1]) is type(returned(X, *given)[1])
    assert found[1] == returned(X, *given)[1]
    np.testing.assert_allclose(d_x, np.full(3, float(found[1])))

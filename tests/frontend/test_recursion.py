"""Functions that call themselves, where it is known when they end."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

x = np.array([0.4, -0.7, 1.1, 0.3])

CASES = {
    "a power by squaring": """
        def power(x, n):
            if n == 0:
                return np.ones_like(x)
            if n % 2 == 1:
                return x * power(x, n - 1)
            half = power(x, n // 2)
            return half * half


        def f(x):
            return np.sum(np.sin(power(x, 11)))
    """,
    "two calls of itself": """
        def tree(x, depth):
            if depth <= 0:
                return np.sum(x)
            return tree(np.sin(x), depth - 1) * tree(np.cos(x), depth - 1)


        def f(x):
            return tree(x, 3)
    """,
    "a number by name, and a change in place": """
        def smoothed(y, left=3):
            if left:
                y[1:] += 0.5 * y[:-1] ** 2
                smoothed(y, left=left - 1)


        def f(x):
            y = x.copy()
            smoothed(y)
            return np.sum(y * y)
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_is_written_out(name, tmp_path):
    function = written(CASES[name], tmp_path, "primal_that_calls_itself")
    got = gradgen.grad(function, shapes={"x": "n"})(x)
    want = numeric_gradient(function, (x,), 0, 1.0)
    assert np.max(np.abs(got - want.value)) < 1e-8 * (1 + np.max(np.abs(got)))


REFUSED = {
    "no end": """
        def f(x):
            return f(x)
    """,
    "two that call each other": """
        def one(x):
            return x + other(x)


        def other(x):
            return x * one(x)


        def f(x):
            return np.sum(one(x))
    """,
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_where_the_end_is_not_known(name, tmp_path):
    function = written(REFUSED[name], tmp_path, "primal_without_end")
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(function, wrt="x")
    assert caught.value.code == "GG250"


def test_a_test_of_known_numbers_is_decided(tmp_path):
    text = """
    def f(x):
        n = 3
        m = n * 2 + 1
        if m % 2 == 1:
            return np.sum(x)
        return np.sum(x * x)
    """
    function = written(text, tmp_path, "primal_with_numbers")
    assert "if " not in gradgen.emit(function, shapes={"x": "n"})


def wrapped_round(x, bottom=0.0, top=6.0):
    x = np.asarray([x])
    if np.all(x >= bottom) and np.all(x <= top):
        return np.squeeze(x)
    x[np.where(x < bottom)] += top
    x[np.where(x > top)] -= top
    return np.squeeze(wrapped_round(x, bottom=bottom, top=top))


def halved(x, depth=3, scale=2.0):
    if np.sum(x) < 1:
        return scale * np.sum(x)
    return halved(x / 2, depth=depth, scale=np.sum(x))


def thirds(x, k=1.0):
    if np.sum(x) < k:
        return k * np.sum(x)
    return thirds(x / 3, np.max(x)) + thirds(x / 4)


@pytest.mark.parametrize("f", [halved, thirds])
def test_a_default_in_one_call_and_none_in_another(f):
    x = np.array([0.7, 1.2, 0.4])
    want = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), want, rtol=1e-6)


def test_a_number_and_an_array_in_turn_are_refused():
    with pytest.raises(GradgenError, match="GG250"):
        gradgen.grad(wrapped_round)(0.5)

"""Loops that keep what every so many rounds start from: any range, any callback."""

import copy

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

RANGES = ["range(n)", "range(1, n, 2)", "range(n, 0, -1)", "range(n + 2, -1, -3)"]
BODIES = {
    "elementwise": ["y = np.sin(x) * w", "x = x + 0.1 * i * y * y"],
    "stores": ["x[1:] += 0.2 * np.cos(x[:-1])", "x[i % 3] = np.sin(x[0]) * w[1]"],
    "two states": ["x, v = x + 0.1 * v, v - 0.1 * np.sin(x) * w"],
    "the state at its end": ["last = np.exp(-x * x)", "x = x * last + v"],
}


def program(over, lines):
    body = "".join(f"        {line}\n" for line in lines)
    return (
        "def f(x, w, n):\n"
        "    x = 1.0 * x\n"
        "    v = 0.3 * w\n"
        "    last = x\n"
        f"    for i in {over}:\n{body}"
        "    return np.sum(x * x) + np.sum(v * last)\n"
    )


@pytest.mark.parametrize("over", RANGES)
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("facts", [{}, {"x": "n", "w": "n"}], ids=["none", "facts"])
def test_any_number_of_rounds(over, name, facts, tmp_path):
    text = program(over, BODIES[name])
    function = written(text, tmp_path)
    gradient = gradgen.grad(function, wrt=("x", "w"), shapes=facts, save="state")
    assert "for first in" in gradient.source
    made = gradgen.vjp(function, wrt=("x", "w"), shapes=facts, save="state")
    rng = np.random.default_rng(3)
    for n in (0, 1, 2, 7, 12):
        args = [rng.uniform(0.2, 0.9, 4), rng.uniform(0.2, 0.9, 4), n]
        expected = [
            numeric_gradient(function, copy.deepcopy(args), k, 1.0) for k in (0, 1)
        ]
        value, backward = made(*copy.deepcopy(args))
        assert value == function(*copy.deepcopy(args))
        for found in (gradient(*copy.deepcopy(args)), backward(1.0), backward(1.0)):
            for g, want in zip(found, expected):
                np.testing.assert_allclose(g, want.value, rtol=1e-7, atol=1e-8)
                assert g.dtype == np.float64
        single = gradient(*(a.astype(np.float32) for a in args[:2]), n)
        assert [g.dtype for g in single] == [np.float32, np.float32]


def test_what_is_no_elementwise_round_is_kept_round_by_round():
    def gated(x, A, n):
        for i in range(n):
            x = np.tanh(A @ x)
        return np.sum(x)

    text = gradgen.emit(gated, wrt="x", shapes={"x": "d", "A": "d d"}, save="state")
    assert "for first in" not in text


def test_what_a_round_prints_is_printed_once(capsys):
    def told(x, n):
        for i in range(n):
            x = np.sin(x) * x
            assert np.all(x < 9)
        return np.sum(x)

    text = gradgen.emit(told, shapes={"x": "d"}, save="state")
    assert text.count("assert") == 1


GROWING = {
    "a number": ("s = s * v + A", 2.0),
    "a row": ("s = s * v + A", np.ones(3)),
    "a column": ("s = np.sin(s) + A * v", np.full((2, 1), 0.3)),
    "means of rows": ("s = s * (A + 1)", np.full((2, 1), 0.5)),
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_a_state_that_grows_in_its_first_round(name, n, tmp_path):
    line, v = GROWING[name]
    text = f"""
        def f(v, A, n):
            s = v
            for j in range(n):
                {line}
            return np.sum(s * s)
        """
    function, A = written(text, tmp_path), np.linspace(0.1, 0.4, 6).reshape(2, 3)
    found = gradgen.grad(function, wrt=("v", "A"), save="state")(v, A, n)
    for at, given in enumerate((v, A)):
        want = numeric_gradient(function, [v, A, n], at).value
        assert np.shape(found[at]) == np.shape(given)
        np.testing.assert_allclose(found[at], want, rtol=1e-7, atol=1e-8)

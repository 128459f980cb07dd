"""A name in a text means there what it means in the function it was made of."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.corpus.names import CONSTANTS, HEAD, VALUES, WANTED
from tests.fuzz.program import imported

X = np.array([0.3, -0.4, 0.9])
PROGRAMS = {f"constant: {name}": text for name, text in CONSTANTS.items()}
PROGRAMS |= {f"wanted: {name}": text for name, text in WANTED.items()}


def program(text):
    function = imported(HEAD + text.lstrip(), "f")
    count = len(inspect.signature(function).parameters) - 1
    args = [X, *VALUES[:count]]
    want = numeric_gradient(function, args, 0, 1.0)
    assert np.all(want.error < 1e-8)
    return function, args, want.value


def alone(text):
    """The function of a text that is executed in a module of its own."""
    space = {"__name__": "alone"}
    exec(compile(text, "<alone>", "exec"), space)
    return next(v for k, v in reversed(space.items()) if callable(v) and "f" in k)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("keep_calls", [False, True])
def test_the_text_alone_gives_what_is_measured(name, keep_calls):
    function, args, want = program(PROGRAMS[name])
    text = gradgen.emit(function, keep_calls=keep_calls)
    got = alone(text)(*args)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    assert text == gradgen.emit(function, keep_calls=keep_calls)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_other_forms_give_it_too(name):
    function, args, want = program(PROGRAMS[name])
    value, pullback = gradgen.vjp(function)(*args)
    np.testing.assert_array_equal(value, function(*args))
    np.testing.assert_allclose(pullback(1.0), want, rtol=1e-7, atol=1e-9)
    value, got = gradgen.value_and_grad(function)(*args)
    np.testing.assert_array_equal(value, function(*args))
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    _, tangent = gradgen.jvp(function)(*args, np.ones(3))
    np.testing.assert_allclose(tangent, np.sum(want), rtol=1e-7, atol=1e-9)


NUMBERS = "0.5 -0.5 2 -3 0.0 -0.0 True False 1e-8 -2.5e-3 np.float64(-0.7)".split()
USES = {
    "minus": "np.exp(-G * x)",
    "plus": "np.sin(+G * x)",
    "twice": "np.sin(-(-G) * x) - -G",
    "a power": "np.sin(x) * -G ** 2",
    "bounds": "np.clip(x, -abs(G) - 9, abs(G) + 9) * -G",
    "a difference": "(x - G) * (x + -G)",
    "several": "np.sin(x * G - G) * G / (4 + G ** 2)",
}


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("use", USES)
def test_a_constant_with_a_sign(number, use):
    text = f"G = {number}\ndef f(x): return np.sum(({USES[use]}) * x)\n"
    function, args, want = program(text)
    got = alone(gradgen.emit(function, value=True))(*args)
    assert got[0] == function(*args)
    np.testing.assert_allclose(got[1], want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return np.sum(np.exp(-np.pi * x))",
        "N = 2\ndef f(x): return np.sum(x * ~N) + x[-N] * -N + ~-N * x[0]",
        "AXIS = 1\ndef f(x): return np.sum(np.sum(x[:, None] * x, axis=-AXIS) * x)",
        "B = True\ndef f(x): return np.sum(-B * x * x + +B * x)",
        "I = np.inf\ndef f(x): return np.sum(np.minimum(x, I) * np.maximum(x, -I))",
        "Z = 1 - 2j\ndef f(x): return np.sum(np.abs(-Z * x + Z) ** 2)",
        "W = -0.5j\ndef f(x): return np.sum((x * -W).imag * x)",
    ],
)
def test_a_sign_before_another_number(text):
    function, args, want = program(text)
    got = alone(gradgen.emit(function))(*args)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_nan_is_written_out():
    function = imported(
        HEAD + "N = float('nan')\ndef f(x): return np.sum(x * N)\n", "f"
    )
    assert np.all(np.isnan(alone(gradgen.emit(function))(X)))


def test_a_number_of_numpys_makes_float64_as_in_the_function():
    text = "G = np.float64(0.7)\ndef f(x): return np.sum(np.sin(G * x))\n"
    function, _, _ = program(text)
    value, got = gradgen.value_and_grad(function)(X.astype(np.float32))
    assert value == function(X.astype(np.float32)) and value.dtype == np.float64
    assert got.dtype == np.float32


def test_two_modules_with_a_constant_of_one_name():
    other = imported(HEAD + "K = 3.0\ndef h(x): return np.sin(K * x)\n", "h").__module__
    text = f"import {other} as other\nfrom {other} import h\nK = 2.0\n"
    text += "def g(x): return np.cos(K * x)\n"
    for body in ("h(x) * g(x)", "g(x) * h(x)", "other.h(x) * g(x) * K * other.K"):
        function, args, want = program(f"{text}def f(x): return np.sum({body})\n")
        for keep_calls in (False, True):
            got = alone(gradgen.emit(function, keep_calls=keep_calls))(*args)
            np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", ["len", "vjp_f", "hvp_f", "np", "rows", "seed"])
@pytest.mark.parametrize("mode", ["jacobian", "hessian"])
def test_a_matrix_row_by_row(name, mode):
    loop = f"    for i in range(2):\n        x = np2.sin(x) * x * {name}\n"
    result = "x" if mode == "jacobian" else "np2.sum(x)"
    text = f"{HEAD}def f(x, {name}):\n{loop}    return {result}\n"
    function = imported(text, "f")
    rows = function if mode == "jacobian" else gradgen.grad(function)
    found = [
        numeric_gradient(lambda *a, i=i: rows(*a)[i], [X, 1.2], 0, 1.0).value
        for i in range(3)
    ]
    got = alone(gradgen.emit(function, mode=mode))(X, 1.2)
    np.testing.assert_allclose(got, found, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", PROGRAMS)
def test_with_the_library_as_an_argument(name):
    function, args, want = program(PROGRAMS[name])
    made = alone(gradgen.emit(function, target="xp"))
    got = made(*args, **{list(inspect.signature(made).parameters)[-1]: np})
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def square_root(v, xp=np, power=np.power):
    return xp.sqrt(power(v, 3))


def test_a_module_as_a_default():
    def f(x):
        return np.sum(square_root(x))

    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(gradgen.grad(f)(x), 1.5 * np.sqrt(x))
    np.testing.assert_allclose(gradgen.grad(square_root)(2.0), 1.5 * np.sqrt(2.0))

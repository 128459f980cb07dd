"""Adjoints that are factors of one product: written there, and right."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RANDOM = np.random.default_rng(6)
SHAPES = {"x": "n", "w": "n", "k": "", "X": "n m", "T": ""}
VALUES = {
    "x": RANDOM.normal(size=4),
    "w": RANDOM.uniform(0.5, 1.5, 4),
    "k": 0.7,
    "X": RANDOM.normal(size=(4, 3)),
    "T": 3,
}


def one_after_another(x, w):
    y = np.tanh(x * w)
    z = np.sin(y)
    return np.sum(z**2)


def of_a_mean(X, w):
    losses = np.tanh(X.T @ w)
    return np.mean(losses)


def rows(X, k):
    exps = np.exp(k * X)
    total = np.sum(exps, axis=1)
    return np.sum(np.log(total)) + k**2


def gates(x, w, T):
    h = x
    for _ in range(T):
        gate = np.tanh(w * h)
        new = np.sin(x + h)
        h = gate * h + (1 - gate) * new
    return np.sum(h**2)


def in_arms(x, w, k):
    if k > 0:
        y = np.sin(x) * w
        z = np.tanh(y)
    else:
        z = x * w
    return np.sum(z * x)


def chosen(x, w):
    y = np.sin(x * w)
    z = np.where(y > 0, np.tanh(y), w * y)
    return np.sum(np.exp(z))


def stored(x, w):
    y = np.zeros(4)
    y[1:3] = np.sin(x[1:3]) * w[1:3]
    y[0] = y[1] * y[2]
    z = np.tanh(y)
    return np.sum(z**3)


JOINED = {
    one_after_another: ("d_y =", "d_z ="),
    of_a_mean: ("d_losses =",),
    rows: ("d_total =",),
    gates: ("d_gate =", "d_new ="),
}
OTHERS = [in_arms, chosen, stored]


def given(function) -> dict:
    count = function.__code__.co_argcount
    return {name: VALUES[name] for name in function.__code__.co_varnames[:count]}


def told(function) -> dict:
    return {name: SHAPES[name] for name in given(function)}


@pytest.mark.parametrize("function", [*JOINED, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_gradient_is_that_of_differences(function, dtype):
    wrt = tuple(name for name in given(function) if name != "T")
    values = list(given(function).values())
    typed = [one.astype(dtype) if np.ndim(one) else one for one in values]
    found = gradgen.grad(function, wrt, shapes=told(function))(*typed)
    for at, name in enumerate(wrt):
        truth = numeric_gradient(function, values, list(given(function)).index(name))
        room = 1e-7 if dtype is np.float64 else 1e-4
        np.testing.assert_allclose(found[at], truth.value, rtol=room, atol=room)


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_the_adjoint_has_no_line(function):
    wrt = [name for name in given(function) if name != "T"]
    text = gradgen.emit(function, wrt, shapes=told(function))
    assert not all(f" {name}" in text for name in JOINED[function])


def test_a_quotient_of_arrays_keeps_its_line():
    def ratio(x, w):
        y = np.sin(x)
        z = y / w
        return np.sum(np.tanh(z))

    text = gradgen.emit(ratio, "x", shapes={"x": "n", "w": "n"})
    assert " d_y = " in text


def test_an_adjoint_that_is_read_twice_keeps_its_line():
    def twice(x, w):
        y = x * w
        return np.sum(np.tanh(y))

    text = gradgen.emit(twice, ("x", "w"), shapes={"x": "n", "w": "n"})
    assert " d_y = " in text


def distances(x, w):
    return np.sum(np.sqrt(x**2 + w**2 + 0.1))


def cubes(x, w):
    root = (x**3 + w**3) ** (1 / 3)
    return np.sum(root) + np.sum(x * w)


def slopes(X, k):
    dx = X[1:, :-1] - X[:-1, :-1]
    dy = X[:-1, 1:] - X[:-1, :-1]
    return np.sum(np.sqrt(dx**2 + dy**2 + k**2))


@pytest.mark.parametrize(
    "function", [distances, cubes, slopes], ids=lambda f: f.__name__
)
def test_a_number_that_cancels_leaves_what_is_shared(function):
    wrt, values = tuple(given(function)), [np.abs(v) for v in given(function).values()]
    found = gradgen.grad(function, wrt, shapes=told(function))(*values)
    for at, _ in enumerate(wrt):
        truth = numeric_gradient(function, values, at).value
        np.testing.assert_allclose(found[at], truth, rtol=1e-6, atol=1e-8)
    back = gradgen.emit(function, wrt, shapes=told(function)).partition("# Grad of")[2]
    assert "2 * d_inner" not in back and "0.5 * d_out" not in back


@pytest.mark.parametrize("n", [1, 3])
def test_a_factor_of_one_leaves_nothing_of_its_product(n):
    def written_over(x, n):
        v = np.zeros(max(n, 1))
        np.exp(x, v)
        y = v * 2
        return np.sum(0.5 * y)

    x = np.array([0.3, -0.7, 1.1][:n])
    told = {"x": str(n), "n": ":int"}
    found = gradgen.grad(written_over, "x", shapes=told)(x, n)
    np.testing.assert_allclose(found, np.exp(x), rtol=1e-12)

"""What meets its own transpose is a column, with nothing told: m * m.T, x.T - x."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(6)
COLUMN = RNG.uniform(0.5, 1.5, (4, 1))
SQUARE = RNG.uniform(0.5, 1.5, (4, 4))
POINTS = RNG.uniform(0.5, 1.5, (4, 3))


def differences(x):
    return np.sum((x.T - x) ** 4)


def distances(x):
    d = x - x.T
    return np.sum(np.sqrt(d**2 + 1.0))


def of_twice_as_much(x):
    y = 2 * x + 1
    return np.sum((y - y.T) ** 4 * y)


def energy(m, x):
    d = x[:, None, :] - x[None, :, :]
    r = np.sqrt(np.sum(d**2, axis=-1) + 1e-3)
    return -np.sum(np.triu(m * m.T / r, 1))


def energies(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(np.sum(mass * vel**2))
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    dx = x.T - x
    dy = y.T - y
    inv_r = np.sqrt(dx**2 + dy**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    potential = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))
    return kinetic + potential


def antisymmetric(A):
    return np.sum((A - A.T) ** 4)


def symmetric(a, v):
    s = 0.5 * (a + a.T)
    return v @ s @ v


def in_a_product(W, x):
    return np.sum((W - W.T) ** 4) + np.sum((x @ W) ** 2)


COLUMNS = [
    (differences, [COLUMN], ["x"]),
    (distances, [COLUMN], ["x"]),
    (of_twice_as_much, [COLUMN], ["x"]),
    (energy, [COLUMN, POINTS], ["m", "x"]),
    (energies, [POINTS, POINTS, COLUMN, 0.7], ["mass", "vel", "G"]),
]
SQUARES = [
    (antisymmetric, [SQUARE], ["A"]),
    (symmetric, [SQUARE, POINTS[:, 0]], ["a", "v"]),
    (in_a_product, [SQUARE, POINTS.T], ["W", "x"]),
]


def made(text, name):
    names: dict = {}
    exec(text, names)
    return names[f"grad_{name}"]


def agree(found, function, args, wrt):
    found = found if isinstance(found, tuple) else (found,)
    order = list(function.__code__.co_varnames)
    for gradient, name in zip(found, wrt, strict=True):
        at = order.index(name)
        want = numeric_gradient(function, args, at).value
        assert np.shape(gradient) == np.shape(args[at])
        np.testing.assert_allclose(gradient, want, 1e-6, 1e-7)


@pytest.mark.parametrize(
    "function, args, wrt",
    COLUMNS + SQUARES,
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_the_text_and_a_call_are_right(function, args, wrt):
    text = gradgen.emit(function, wrt=wrt)
    agree(made(text, function.__name__)(*args), function, args, wrt)
    agree(gradgen.grad(function, wrt=wrt)(*args), function, args, wrt)


@pytest.mark.parametrize("function", [differences, distances, of_twice_as_much])
def test_a_square_matrix_raises_in_a_text_and_not_in_a_call(function):
    text = gradgen.emit(function)
    assert "x is taken for (n, 1)" in text and "def _" not in text
    with pytest.raises(ValueError, match="taken for"):
        made(text, function.__name__)(SQUARE)
    agree(gradgen.grad(function)(SQUARE), function, [SQUARE], ["x"])


def test_what_is_added_up_in_pairs_has_no_helper():
    assert "def _" not in gradgen.emit(energies, wrt=["pos"])
    text = gradgen.emit(energies, wrt=["pos"])
    assert "mass for (n, 1)" in text

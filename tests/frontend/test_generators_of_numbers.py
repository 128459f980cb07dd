"""Generators of random numbers that are made and not asked; functions with NumPy's names."""

import functools

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.3, 0.8, 1.4])
ROWS, TARGETS = np.arange(9.0).reshape(3, 3) / 7 + np.eye(3), np.array([1.0, 2.0, 0.5])


class Model:
    def __init__(self, seed=0, solver="descent"):
        self.rng = np.random.default_rng(seed)
        self.solver = solver

    def fit(self, rows, targets):
        w = np.zeros(3)
        for _ in range(5):
            if self.solver == "stochastic":
                i = self.rng.integers(0, 3)
                w = w - 0.1 * rows[i] * (rows[i] @ w - targets[i])
            else:
                w = w - 0.1 * rows.T @ (rows @ w - targets) / 3
        self.w = w
        return self


def by_descent(x):
    return np.sum(Model().fit(ROWS, x).w ** 2)


def with_an_idle_generator(x):
    rng = np.random.default_rng(0)  # noqa: F841
    other = np.random.RandomState(1)  # noqa: F841
    return np.sum(x**2)


def left_out(x, rng=None):
    if rng is None:
        rng = np.random.default_rng(3)
    return np.sum(x**3)


class Cloud:
    def __init__(self, points, rng=None):
        self.points = points
        self._rng = np.random.default_rng(rng)

    @property
    def rng(self):
        return self._rng

    def moved(self, by):
        return Cloud(self.points + by, self.rng)

    def spread(self):
        return np.sum(self.points**2)


def kept_in_a_field_and_read(x):
    return Cloud(x).moved(2.0).spread()


def handed_to_what_does_not_ask(x):
    return Cloud(x, np.random.RandomState(4)).spread() + Cloud(x, rng=3).spread()


def checked(rng):
    if rng is None or rng is np.random:
        return np.random.RandomState()
    if isinstance(rng, (int, np.integer)):
        return np.random.RandomState(rng)
    if isinstance(rng, np.random.RandomState):
        return rng
    raise ValueError(f"{rng!r} makes no generator")


def made_by_a_function(x, seed=5):
    rng = checked(seed)
    return np.sum(x**2) * (2.0 if isinstance(rng, np.random.RandomState) else 3.0)


def made_again(x):
    rng = checked(checked(7))
    return Cloud(x).spread() if rng else np.sum(x)


@functools.wraps(np.cos)
def cos(x):
    return 2 * np.cos(np.asarray(x))


def with_names_of_numpy(x):
    return np.sum(cos(x) ** 2)


FUNCTIONS = [
    by_descent,
    with_an_idle_generator,
    left_out,
    with_names_of_numpy,
    kept_in_a_field_and_read,
    handed_to_what_does_not_ask,
    made_by_a_function,
    made_again,
]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_they_have_a_gradient(f):
    h = 1e-6
    wanted = [(f(X + e) - f(X - e)) / (2 * h) for e in h * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-7, atol=1e-8)


def by_chance(x):
    return np.sum(Model(solver="stochastic").fit(ROWS, x).w)


def with_noise(x):
    rng = np.random.default_rng(0)
    return np.sum(x * rng.normal(size=3))


def handed_on(x):
    rng = np.random.RandomState(0)
    return drawn(x, rng)


def drawn(x, rng):
    return np.sum(x * rng.rand(3))


def of_a_field(x):
    return np.sum(x * Cloud(x).moved(1.0).rng.normal(size=3))


def by_its_name(x):
    sample = np.random.default_rng(1).normal
    return np.sum(x * sample(size=3))


@pytest.mark.parametrize(
    "f", [by_chance, with_noise, handed_on, of_a_field, by_its_name]
)
def test_what_draws_is_refused(f):
    with pytest.raises(GradgenError, match="GG218 .*random numbers are no function"):
        gradgen.grad(f)(X)
    assert f(X) is not None


def among_the_results(x):
    rng = np.random.default_rng(3)
    return 2 * x, rng


def printed(x):
    rng = np.random.default_rng(3)
    print(rng)
    return np.sum(x)


def told_in_a_message(x):
    rng = np.random.RandomState(3)
    print(f"drawn with {rng}: {x[0]}")
    return np.sum(x)


@pytest.mark.parametrize("f", [among_the_results, printed, told_in_a_message])
def test_what_shows_a_generator_is_refused(f):
    with pytest.raises(GradgenError, match="GG272 a (Generator|RandomState) is "):
        gradgen.vjp(f)(X)
    with pytest.raises(GradgenError, match="GG272"):
        gradgen.emit(f)

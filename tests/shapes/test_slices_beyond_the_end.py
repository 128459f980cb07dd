"""Lengths of slices: of bounds that are computed, and of arrays shorter than a bound.

x[: -2 + 1] has one entry less than x, as x[:-1] has, and x[3:] of two entries has none:
a length is never less than 0.
"""

import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.4, 0.9, 1.3, 0.7, 1.1, 0.2, 1.6])
COMPUTED = [
    "np.mean(x[:-2 + 1] ** 2)",
    "np.mean(x[1 - 4:] ** 2)",
    "np.mean(x[:2 * -1] ** 2) * np.sum(x[-3 + 1:])",
    "np.concatenate([x[:N + 1], x[N:]]) ** 2",
    "np.concatenate([np.ones(3), x[N - 1:]]) * np.sum(x[:N])",
    "np.var(x[:N + 1])",
    "np.concatenate([x[:-3 + 1], x[:1], x[-2:]]) ** 2",
    "np.mean(x[N:-3 + 2] ** 2)",
]
SHORT = [
    "np.concatenate([x[3:], x[:3]]) ** 2",
    "np.concatenate([x[:-3], np.sin(x[-3:])])",
    "np.append(x[4:], x ** 2)",
    "np.hstack([x[2:], 3 * x, x[:2]]) ** 2",
    "np.hstack([x[3:], x[2:-6:-1], x]) ** 2",
    "np.tile(x[3:], 2) * np.sum(x)",
    "np.concatenate([x[2:3], x]) ** 2",
    "np.hstack([x, x[3:4], x]) ** 2",
    "np.tile(x[-4:-3], 2) * np.sum(x)",
    "np.repeat(x[2:-1], 2) * np.sum(x)",
    "np.concatenate([x[3:-1], x[-4:]]) ** 2",
    "np.concatenate([x[5:, None], x[:, None]], axis=0) ** 2",
    "np.concatenate([x[None, 5:], x[None]], axis=1) ** 2",
]
DOORS = ("grad", "vjp", "alone")


def judged(f, x, *more):
    """The gradient by each door, beside differences."""
    value = f(x, *more)
    seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
    true = numeric_gradient(f, [x, *more], 0, seed).value
    names: dict = {}
    exec(gradgen.emit(f), names)
    last = list(
        names["grad_f"].__code__.co_varnames[: names["grad_f"].__code__.co_argcount]
    )
    found = {
        "grad": gradgen.grad(f)(x, *more, seed=seed),
        "vjp": gradgen.vjp(f)(x, *more)[1](seed),
        "alone": names["grad_f"](x, *more, **{last[-1]: seed}),
    }
    for door in DOORS:
        assert found[door].shape == x.shape, door
        np.testing.assert_allclose(
            found[door], true, rtol=1e-6, atol=1e-8, err_msg=door
        )


@pytest.mark.parametrize("line", COMPUTED)
@pytest.mark.parametrize("number", [-2, -3])
def test_bounds_that_are_computed(tmp_path, line, number):
    source = f"N = {number}\n\ndef f(x):\n    return {line}\n"
    judged(written(source, tmp_path), X)


@pytest.mark.parametrize("line", SHORT)
@pytest.mark.parametrize("length", [7, 4, 3, 2, 1])
def test_arrays_shorter_than_a_bound(tmp_path, line, length):
    f = written(f"def f(x):\n    return {line}\n", tmp_path)
    judged(f, X[:length])


@pytest.mark.parametrize("length", [2, 6])
def test_what_stands_behind_a_slice_that_is_empty(tmp_path, length):
    source = "def f(y, x):\n    return np.concatenate([x[3:], y]) ** 2\n"
    judged(written(source, tmp_path), X[:3], X[:length])


def test_a_bound_of_an_object(tmp_path):
    source = (
        "def f(x, cfg):\n    return np.concatenate([x[:cfg.n + 1], x[cfg.n:]]) ** 2\n"
    )
    gradient = gradgen.grad(written(source, tmp_path), wrt="x")
    for n in (-2, -1, 0, 2, 9, -9):
        one = types.SimpleNamespace(n=n)
        parts = [(slice(None, n + 1), X), (slice(n, None), X)]
        want = np.zeros_like(X)
        size = 0
        total = sum(len(x[key]) for key, x in parts)
        seed = np.cos(np.arange(total))
        for key, x in parts:
            part = x[key]
            want[key] += 2 * part * seed[size : size + len(part)]
            size += len(part)
        np.testing.assert_allclose(gradient(X, one, seed=seed), want, rtol=1e-12)

"""Guarded texts are read again: their derivatives carry the guards and masks on."""

import importlib.util
from functools import cache
from inspect import signature

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.guard import target_primals as primals
from tests.guard.test_targets import TARGETS, text_of

# arguments where everything is smooth, by function
REGULAR = {
    "cosine_loss": ([0.3, -1.2, 2], [1, 0.5, -0.7]),
    "arctan2": ([0.3, -1.2, 2], [1, 0.5, -0.7]),
    "where_exp": ([-0.3, 1.2, -2],),
    "where_two_poles": ([-0.3, 1.2, -2],),
    "masked_div": ([0.3, -1.2, 2], [0, 0.5, -0.7]),
    "nansum_mul": ([0.3, np.nan, 2], [1, 0.5, -0.7]),
    "norm_rows": ([[0.3, -1.2], [2, 1]],),
    "pairwise_expanded": ([[0.3, -1.2], [2, 1], [0, 3]],),
    "sqrt": ([0.3, 1.2, 2],),
    "xlogy": ([0.3, -1.2, 2], [1, 0.5, 0.7]),
    "entropy": ([0.3, -1.2, 2],),
    "softplus": ([0.3, -1.2, 2],),
    "log_softmax": ([0.3, -1.2, 2],),
    "sigmoid": ([0.3, -1.2, 2],),
    "power": ([0.3, 1.2, 2], [1.5, 0.5, -0.7]),
    "std": ([0.3, -1.2, 2],),
    "arccos_clip": ([0.3, -1.2, 0.7],),
}
# arguments where a first derivative is guarded or masked
SINGULAR = {
    "cosine_loss": ([0, 0, 0], [1, 0.5, -0.7]),
    "arctan2": ([0, 0, 1], [0, 1, 0]),
    "where_exp": ([-1, 1000, 0],),
    "where_two_poles": ([1, -1, 0],),
    "masked_div": ([1, 2, 3], [0, 0, 2]),
    "norm_rows": ([[0, 0], [2, 1]],),
    "pairwise_expanded": ([[0, 0], [0, 0], [1, 1]],),
    "sqrt": ([0, 1, 4],),
    "entropy": ([0, -1, 2],),
    "softplus": ([-1e4, 1e4, 0],),
    "log_softmax": ([-1e4, 1e4, 0],),
    "sigmoid": ([-1e4, 1e4, 0],),
    "std": ([2, 2, 2],),
    "arccos_clip": ([-1, 1, 2],),
}


def loaded(folder, stem: str, text: str):
    """The function of a text, which stands in a file."""
    path = folder / f"{stem}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, f"grad_{stem}")


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The guarded gradients by name, each a function with a file."""
    folder = tmp_path_factory.mktemp("texts")
    return cache(lambda name: loaded(folder, name, text_of(name)))


def given(name, points, dtype=np.float64):
    """The arguments, a seed of ones, and the position of the argument in question."""
    args = [np.array(one, dtype) for one in points[name]]
    with np.errstate(all="ignore"):
        value = getattr(primals, name)(*args)
    seed = np.ones_like(value) if np.ndim(value) else dtype(1)
    names = list(signature(getattr(primals, name)).parameters)
    at = names.index(TARGETS[name].wrt[0]) if TARGETS[name].wrt else 0
    return args, seed, at


def facts(name, function) -> dict[str, str]:
    """The shapes of a gradient's arguments; the seed's is the result's."""
    *_, seed = signature(function).parameters
    args, ones, _ = given(name, REGULAR)
    text = TARGETS[name].shapes
    if not np.ndim(ones):
        return text | {seed: ""}
    whole = "n 1" if name == "norm_rows" else next(iter(text.values()))
    return text | {seed: whole}


def second(first, name, mode):
    function, names = first(name), list(signature(first(name)).parameters)
    _, _, at = given(name, REGULAR)
    make = gradgen.jvp if mode == "forward" else gradgen.vjp
    return make(function, names[at], shapes=facts(name, function), guard=True)


def weights(array):
    """Numbers of different sizes in the shape of an array."""
    return np.cos(np.arange(array.size) + 1.0).reshape(array.shape)


def total(name, first, args, seed):
    """A weighted sum of the first gradient, all of it."""
    found = first(name)(*args, seed)
    found = found if isinstance(found, tuple) else (found,)
    return sum(np.sum(weights(one) * one) for one in found)


# Differences measure rounding where a distance is 0: x and x + h are never apart by 0.
MEASURED = [name for name in REGULAR if name != "pairwise_expanded"]


@pytest.mark.parametrize("name", MEASURED)
def test_the_derivative_of_a_guarded_text(first, name):
    args, seed, at = given(name, REGULAR)
    value, pullback = second(first, name, "reverse")(*args, seed)
    parts = value if isinstance(value, tuple) else (value,)
    seeds = tuple(map(weights, parts))
    got = pullback(seeds if isinstance(value, tuple) else seeds[0])

    def along(x):
        return total(name, first, [*args[:at], x, *args[at + 1 :]], seed)

    with np.errstate(all="ignore"):
        want = numeric_gradient(along, [args[at]], 0).value
    assert np.allclose(got, want, rtol=1e-6, atol=1e-7), (got, want)


@pytest.mark.parametrize("name", REGULAR)
def test_forward_and_reverse_agree(first, name):
    args, seed, at = given(name, REGULAR)
    _, pullback = second(first, name, "reverse")(*args, seed)
    tangent = weights(args[at])
    value, derivative = second(first, name, "forward")(*args, seed, tangent)
    many = isinstance(value, tuple)
    ones = tuple(map(np.ones_like, value)) if many else np.ones_like(value)
    pushed = sum(map(np.sum, derivative)) if many else np.sum(derivative)
    assert np.allclose(pushed, np.sum(tangent * pullback(ones)), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", SINGULAR)
def test_second_derivatives_are_finite(first, name, dtype):
    args, seed, at = given(name, SINGULAR, dtype)
    with np.errstate(all="ignore"):
        value, pullback = second(first, name, "reverse")(*args, seed)
        many = isinstance(value, tuple)
        ones = tuple(map(np.ones_like, value)) if many else np.ones_like(value)
        got = pullback(ones)
        tangent = np.ones_like(args[at])
        _, derivative = second(first, name, "forward")(*args, seed, tangent)
    assert got.dtype == dtype and np.all(np.isfinite(got))
    for one in derivative if many else (derivative,):
        assert one.dtype == dtype and np.all(np.isfinite(one))

"""Sums of pairs, of stretched products and of common factors; systems whose inverse is known.

Values, shapes and dtypes are held against differences, forms against the text.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

SHAPES = {
    "x": "n d",
    "y": "m d",
    "w": "n",
    "v": "n m",
    "s": "d",
    "S": "n n",
    "t": "k n d",
    "g": "n",
}
SIZES = {"n": 4, "d": 3, "m": 5, "k": 2}


def repulsion(x):
    gaps = x[:, None, :] - x[None, :, :]
    r2 = np.sum(gaps**2, axis=-1) + np.eye(len(x), dtype=x.dtype)
    return np.sum(1 / r2)


def on_a_line(w):
    gap = w[:, None] - w
    return np.sum(np.exp(-(gap**2)))


def of_sums(w):
    both = w[:, None] + w[None, :]
    return np.sum(np.sin(both) * both)


def weighted_pairs(x, w):
    # Not mirrored: each pair counts the weight of its first particle.
    gaps = x[:, None, :] - x[None, :, :]
    return np.sum(np.exp(-np.sum(gaps**2, axis=-1)) * w[:, None])


def one_sided(x, S):
    gaps = x[:, None, :] - x[None, :, :]
    return np.sum(np.exp(-np.sum(gaps**2, axis=-1)) * S)


def stored_into(x):
    gaps = x[:, None, :] - x[None, :, :]
    gaps[0, 1, 0] = 3 * x[2, 1]
    return np.sum(np.sum(gaps**2, axis=-1) ** 2)


def odd_power(w):
    gap = w[:, None] - w
    return np.sum(gap**3 * w)


def symmetric_plus(w, S):
    gap = w[:, None] * w + S
    return np.sum(gap**2)


def scaled_gaps(x, y, s):
    gaps = (x[:, None, :] - y[None, :, :]) / s
    return np.sum(np.exp(-0.5 * np.sum(gaps * gaps, axis=-1)))


def centres(x, y, v):
    gaps = x[:, None, :] - y
    return np.sum(v * np.sum(gaps**2, axis=2) ** 2)


def layers(t, g):
    centred = t - np.mean(t, axis=(1, 2), keepdims=True)
    return np.sum((g[:, None] * centred) ** 2)


def shared_factor(x, w):
    mean = np.mean(x, axis=1, keepdims=True)
    total = 0.0
    for i in range(2):
        total += np.sum((w[i] * x + (1 - w[i]) * mean) ** 3)
    return total


def systems(S, w, x):
    a = np.linalg.solve(S, w)
    b = np.linalg.solve(S, a)
    return np.sum(np.linalg.solve(S, x) ** 2) + b @ b + np.log(np.linalg.det(S))


def turned_systems(S, w, x):
    a = np.linalg.solve(S.T, w)
    c = np.linalg.solve(S.T, x)
    return a @ a + np.sum(c**3) - np.sum(np.linalg.inv(S) ** 2)


def in_rounds(S, x, w):
    total = 0.0
    for i in range(x.shape[1]):
        a = np.linalg.solve(S, x[:, i])
        b = np.linalg.solve(S, a + w)
        total = total + a @ b + np.log(np.linalg.det(S))
    return total


CASES = {
    repulsion: "x",
    on_a_line: "w",
    of_sums: "w",
    weighted_pairs: ("x", "w"),
    one_sided: ("x", "S"),
    stored_into: "x",
    odd_power: "w",
    symmetric_plus: ("w", "S"),
    scaled_gaps: ("x", "y", "s"),
    centres: ("x", "y", "v"),
    layers: ("t", "g"),
    shared_factor: ("x", "w"),
    systems: ("S", "w", "x"),
    turned_systems: ("S", "w", "x"),
    in_rounds: ("S", "x", "w"),
}


def inputs(function, dtype):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    rng = np.random.default_rng(3)
    found = {}
    for name in names:
        value = rng.normal(size=tuple(SIZES[one] for one in SHAPES[name].split()))
        found[name] = value @ value.T + 4 * np.eye(4) + value if name == "S" else value
    return {name: value.astype(dtype) for name, value in found.items()}


def told(function):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {name: SHAPES[name] for name in names}


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_gradient_is_that_of_differences(function, fast):
    wrt = CASES[function]
    wrt = wrt if isinstance(wrt, tuple) else (wrt,)
    args = inputs(function, float)
    grad = gradgen.grad(function, wrt=wrt, shapes=told(function), fast=fast)
    got = grad(**args)
    values, places = list(args.values()), list(args)
    for name, found in zip(wrt, got, strict=True):
        estimate = numeric_gradient(function, values, places.index(name))
        assert found.shape == args[name].shape and found.dtype == args[name].dtype
        np.testing.assert_allclose(found, estimate.value, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_floats_of_32_bits_stay_so(function):
    wrt = CASES[function]
    wrt = wrt if isinstance(wrt, tuple) else (wrt,)
    grad = gradgen.grad(function, wrt=wrt, shapes=told(function))
    for found in grad(**inputs(function, np.float32)):
        assert found.dtype == np.float32


def text(function):
    return gradgen.emit(function, wrt=CASES[function], shapes=told(function))


def test_mirrored_pairs_are_summed_along_one_index():
    assert text(repulsion).count(" @ gaps)[:, 0]") == 1
    for function in (on_a_line, of_sums):
        assert "axis=1)" in text(function) and "axis=0" not in text(function)


@pytest.mark.parametrize("function", [weighted_pairs, one_sided, stored_into])
def test_what_is_not_mirrored_is_summed_along_both(function):
    found = text(function)
    sums = [
        f"axis={axis})" in found or f"->{'ij'[1 - axis]}k" in found for axis in (0, 1)
    ]
    assert all(sums), found


def test_stretched_products_are_never_made():
    alone = gradgen.emit(scaled_gaps, wrt="s", shapes=told(scaled_gaps))
    assert 'np.einsum("ij,ijk->k", ' in alone
    # several sums of what has no name: it is computed once
    assert "einsum" not in text(scaled_gaps) + text(centres)


def test_products_with_a_common_factor_are_summed_once():
    assert text(shared_factor).count("np.sum(d_") == 2


def test_a_known_inverse_solves_nothing():
    for function in (systems, in_rounds):
        found = text(function)
        assert "solve(S.T" not in found and found.count("linalg.inv(") == 1

"""NumPy computes functions of masks in 16 bits; the gradient does not go on in these."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.rules.traits import makes_halves
from gradgen.verify.finite import numeric_gradient

X = np.array([1.1, -0.7, 0.4])
IMAGE = np.array([200, 100, 3], dtype=np.uint8)
BYTES = np.array([100, 7, 3], dtype=np.int8)
MASK = np.array([True, False, True])
LONG = np.array([200, 100, 3])


def scaled(x, k):
    return 1e6 * np.sum(np.sqrt(k) * x)


def divided(x, k):
    return np.mean(np.log1p(k) * x) / 3e-6


def of_a_mask(x, k):
    return np.mean(np.exp(k > 50) * x**2) * 0.3


def of_a_sum(x, k):
    return 1e6 * np.sum((np.sqrt(k) + np.log1p(k)) * x)


def by_one_way(x, k):
    if np.sum(x) > 0:
        u = k > 5
    else:
        u = k < 5
    return np.sum(np.sin(u) * x) / 7


def summed_apart(x, k):
    return np.sum(x) * np.sum(np.cos(k > 5)) * 0.3


def entry_by_entry(x, k):
    total = 0.0
    for i in range(len(x)):
        total += 0.3 * x[i] * np.sqrt(k[i]) * 1e5
    return total


def turned(x, k):
    return np.sum(x * np.sqrt(np.stack([k, k])).T[:, 0]) * 1e6


def of_bits(x, k):
    return np.sum(x * np.sqrt(k & 1)) * 0.3


FUNCTIONS = [
    of_bits,
    scaled,
    divided,
    of_a_mask,
    of_a_sum,
    by_one_way,
    summed_apart,
    entry_by_entry,
    turned,
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("k", [IMAGE, BYTES, MASK, LONG], ids=lambda k: k.dtype.name)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_number_is_rounded_to_a_half(function, k, dtype):
    got = gradgen.grad(function)(X.astype(dtype), k)
    want = numeric_gradient(function, (X, k), 0, 1.0).value
    assert got.dtype == dtype and got.shape == want.shape
    near = 2e-7 if dtype is np.float64 else 2e-6
    np.testing.assert_allclose(got, want, rtol=near)


@pytest.mark.parametrize("function", [of_a_mask, by_one_way, summed_apart, of_bits])
def test_nor_in_a_text_where_a_mask_is_known(function):
    space: dict = {}
    exec(gradgen.emit(function), space)
    for k in (IMAGE, LONG, 1.0 * LONG):
        if function is of_bits and k.dtype.kind == "f":
            continue  # no bits of floats
        got = space[f"grad_{function.__name__}"](X, k)
        want = numeric_gradient(function, (X, k), 0, 1.0).value
        np.testing.assert_allclose(got, want, rtol=2e-7)


def test_functions_of_whole_arrays_compute_in_no_halves():
    for name in dir(np):
        function = getattr(np, name)
        if isinstance(function, np.ufunc):
            made = makes_halves(f"numpy.{name}")
            assert not made or function(*[MASK] * function.nin).dtype == np.float16
    assert makes_halves("numpy.sqrt") and not makes_halves("numpy.matmul")


def test_floats_and_long_integers_stay_as_they_are():
    def counted(x):
        return np.mean(np.sqrt(np.arange(len(x))) * x)

    def of_floats(x, w):
        return np.mean(np.sqrt(w) * x)

    def of_masks(x):
        return np.mean(np.exp(x > 0) * x)

    assert ".exp(x > 0).astype(float)" in gradgen.emit(of_masks, target="cupy")
    assert "astype(float)" not in gradgen.emit(of_masks, target="jax")
    assert "astype(float)" not in gradgen.emit(counted, shapes={"x": "n"})
    assert "astype(float)" not in gradgen.emit(of_floats, shapes={"x": "n", "w": "n"})


def from_lists(x, k):
    return 1e5 * np.sum(np.array([np.sqrt(v) for v in k]) * x)


def stacked(x, k):
    return 1e6 * np.sum(x * np.stack([np.sqrt(k), np.sqrt(k)]))


def totals_of_halves(x, k):
    return 1e5 * np.sum(np.cumsum(np.sqrt(k)) * x)


def spread(x, k):
    return np.var(np.sqrt(k)) * np.sum(x) * 1e5


def handed_on(x, k):
    s = 0.0
    for i in range(len(x)):
        s = s * 0.5 + np.sqrt(k[i])
    return 1e5 * np.sum(x) * s


def extremes(x, k):
    return 1e6 * np.sum(np.maximum(np.sqrt(k), 2) * x)


def of_one_more(x, k):
    return np.prod(np.sqrt(k) + 1) * np.sum(x) * 100


def as_a_number(x, k):
    return np.sum(x) * 1e6 * float(np.sqrt(k)[0])


CHOSEN = [
    from_lists,
    stacked,
    totals_of_halves,
    spread,
    handed_on,
    extremes,
    of_one_more,
    as_a_number,
]


@pytest.mark.parametrize("k", [IMAGE, BYTES, MASK], ids=lambda k: k.dtype.name)
@pytest.mark.parametrize("function", CHOSEN)
def test_halves_that_other_functions_make_of_halves(function, k):
    if function is spread and k is MASK:
        k = np.array([True, True, False])
    want = numeric_gradient(function, (X, k), 0, 1.0).value
    space: dict = {}
    exec(gradgen.emit(function, example=(X, k)), space)
    for g in (gradgen.grad(function), space[f"grad_{function.__name__}"]):
        np.testing.assert_allclose(g(X, k), want, rtol=1e-6)


def test_tangents_in_a_loop_compute_in_no_halves():
    _, slope = gradgen.jvp(entry_by_entry)(X, IMAGE, np.ones(3))
    want = numeric_gradient(entry_by_entry, (X, IMAGE), 0, 1.0).value
    np.testing.assert_allclose(slope, np.sum(want), rtol=1e-6)

"""Calls with arrays of integers and truth values come to have their tests inline too."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(7)
x, w, A = rng.normal(size=6), rng.normal(size=6), rng.normal(size=(6, 3))
i, j = np.array([0, 2, 5, 2]), np.array([1, 1, 3, 4])
mask = x > 0


def picked(x, i):
    return np.sum(np.sin(x[i]) * x[i])


def pairs(A, i, j, rest):
    gaps = A[i] - A[j]
    return np.sum((np.sqrt(np.sum(gaps * gaps, axis=1)) - rest) ** 2)


def masked(x, mask, w):
    return np.sum(np.where(mask, np.exp(x), w) ** 2)


def weighed(x, counts):
    return np.sum(counts * x**3) / np.sum(counts)


def multiplied(x, mask):
    return np.sum(x * mask * x)


def of_number(a, i):
    return np.sum(np.exp(a * i))


def grids(A, image):
    return np.sum((A - image) ** 3)


# name -> function, arguments, the same with other entries and lengths
CASES = {
    "indices": (picked, (x, i), (w[:5], np.array([4, 4]))),
    "two of indices": (pairs, (A, i, j, w[:4]), (A[:5], j, (j + 2) % 5, w[2:])),
    "a mask": (masked, (x, mask, w), (w, w > 0, x)),
    "counts": (weighed, (x, np.arange(6)), (w[:4], np.arange(1, 5))),
    "a mask that multiplies": (multiplied, (x, mask), (w[:3], mask[2:5])),
    "bytes": (weighed, (x, np.arange(6, dtype="u1")), (w, np.arange(1, 7, dtype="u1"))),
    "small ones": (weighed, (x, np.arange(6, dtype="i4")), (w, np.ones(6, "i4"))),
    "a number": (of_number, (0.3, i), (-0.2, j[:3])),
    "a table": (grids, (A, np.arange(18).reshape(6, 3)), (A[:4], np.ones((4, 3), int))),
}


def hot(derivative, *args):
    """A derivative that was called often enough for tests of its own."""
    for _ in range(3):
        derivative(*args)
    assert getattr(type(derivative), "is_hot", False)
    return derivative


def agree(function, args, got, wrt=0):
    expected = numeric_gradient(function, list(args), wrt).value
    assert np.shape(got) == np.shape(args[wrt])
    if isinstance(args[wrt], np.ndarray):
        assert got.dtype == args[wrt].dtype
    np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_calls_agree_with_differences(name):
    function, args, others = CASES[name]
    gradient = hot(gradgen.grad(function), *args)
    valued = hot(gradgen.value_and_grad(function), *args)
    pullback = hot(gradgen.vjp(function), *args)
    for given in (args, others, args):
        agree(function, given, gradient(*given))
        value, got = valued(*given)
        np.testing.assert_allclose(value, function(*given))
        agree(function, given, got)
        value, pull = pullback(*given)
        np.testing.assert_allclose(value, function(*given))
        agree(function, given, pull(1.0))


@pytest.mark.parametrize("name", CASES)
def test_tangents_agree_with_differences(name):
    function, args, others = CASES[name]
    pushed = hot(gradgen.jvp(function), *args, args[0])
    for given in (args, others):
        value, got = pushed(*given, given[0])
        slope = numeric_gradient(function, list(given), 0).value
        np.testing.assert_allclose(value, function(*given))
        np.testing.assert_allclose(got, np.sum(slope * given[0]), rtol=1e-6)


def test_other_dtypes_go_the_long_way():
    gradient = hot(gradgen.grad(weighed), x, np.arange(6))
    for counts in (np.arange(6.0), np.arange(6, dtype="i2"), np.arange(6, dtype=">i8")):
        agree(weighed, (x, counts), gradient(x, counts))
    agree(weighed, (x, mask), gradient(x, mask))
    single = gradient(x.astype("f4"), np.arange(6))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, gradient(x, np.arange(6)), rtol=1e-5)


@pytest.mark.parametrize("counts", [np.arange(6), mask, np.arange(6, dtype="u1")])
def test_a_gradient_has_the_dtype_of_its_argument(counts):
    gradient = gradgen.grad(weighed)
    for _ in range(4):
        got = gradient(x.astype("f4"), counts)
        assert got.dtype == np.float32
    np.testing.assert_allclose(got, gradgen.grad(weighed)(x, counts), rtol=1e-5)


def test_other_lengths_and_ranks_go_the_long_way():
    gradient = hot(gradgen.grad(weighed), x, np.arange(6))
    agree(weighed, (A, np.arange(3)), gradient(A, np.arange(3)))
    agree(weighed, (x, np.array([2])), gradient(x, np.array([2])))
    with pytest.raises(gradgen.GradgenError, match="broadcast"):
        gradient(x, np.arange(5))
    with pytest.raises(IndexError):
        hot(gradgen.grad(picked), x, i)(x, np.array([9]))


def test_integers_in_wrt_are_refused_still():
    gradient = hot(gradgen.grad(weighed), x, np.arange(6))
    for _ in range(3):
        with pytest.raises(gradgen.GradgenError):
            gradient(np.arange(6), np.arange(6))


def counted(x, order):
    order[0] = 2
    return np.sum(x[order] ** 3)


def test_what_changes_an_array_of_integers_shares_none():
    changed = gradgen.grad(counted)
    for _ in range(4):
        got = changed(x, np.array([1, 2, 3]))
    want = np.zeros(6)
    want[2] = 2 * 3 * x[2] ** 2
    want[3] = 3 * x[3] ** 2
    np.testing.assert_allclose(got, want)
    both = np.array([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(gradgen.GradgenError, match="share memory"):
        changed(both, both.view(np.int64)[1:3])

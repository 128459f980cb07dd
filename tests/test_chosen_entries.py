"""Entries chosen by an argument: what is known only by its shape may be a mask.

x[key] of a mask has as many entries as the mask has True, and of integers as many as
there are integers. Which of them it is, is told by "n:bool" and "n:int".
"""

import inspect
import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(11)
x, y = rng.normal(size=(2, 5))
X, Y = rng.normal(size=(2, 4, 5))
MASK = np.array([True, False, True, True, False])
ROWS = np.array([3, 0, 3])
COLUMNS = np.array([1, 4, 1])


def mean(x, key):
    return np.mean(x[key])


def variance(x, key):
    return np.var(x[key])


def both(x, key, y):
    return np.mean((x[key] - y[key]) ** 2 + np.sum(y[key]))


def columns(x, key):
    return np.mean(x[:, key] ** 2) + np.std(x[..., key])


def embedding(x, key, y):
    return np.mean((x[key] - y) ** 2)


def pairs(x, key, other):
    return np.mean(x[key, other] ** 2)


def one_of_each_row(x, key):
    return np.mean(x[np.arange(len(x)), key] ** 3)


def by_hand(x, key):
    chosen = x[key]
    return np.sum(chosen**2) / len(chosen) * np.prod(chosen.shape)


# function, arguments, their shapes without and with what is told of the keys
CASES = [
    (mean, (x, MASK), ("n", "n"), ":bool"),
    (mean, (x, ROWS), ("n", "m"), ":int"),
    (mean, (X, MASK[:4]), ("n m", "n"), ":bool"),
    (mean, (X, X > 0), ("n m", "n m"), ":bool"),
    (mean, (X, ROWS), ("n m", "k"), ":int"),
    (mean, (X, np.array([[0, 1], [3, 3]])), ("n m", "k l"), ":int"),
    (variance, (x, MASK), ("n", "n"), ":bool"),
    (variance, (X, X > 0), ("n m", "n m"), ":bool"),
    (both, (x, MASK, y), ("n", "n", "n"), ":bool"),
    (both, (x, ROWS, y), ("n", "m", "n"), ":int"),
    (columns, (X, MASK), ("n m", "m"), ":bool"),
    (columns, (X, COLUMNS), ("n m", "k"), ":int"),
    (embedding, (X, ROWS, Y[:3]), ("n m", "k", "k m"), ":int"),
    (embedding, (x, MASK, y[:3]), ("n", "n", "k"), ":bool"),
    (embedding, (x, MASK, y[:1]), ("n", "n", "1"), ":bool"),
    (pairs, (X, ROWS, COLUMNS), ("n m", "k", "k"), ":int"),
    (pairs, (X, MASK[:4], MASK), ("n m", "n", "m"), ":bool"),
    (one_of_each_row, (X, np.array([0, 1, 1, 4])), ("n m", "n"), ":int"),
    (by_hand, (x, MASK), ("n", "n"), ":bool"),
    (by_hand, (X, ROWS), ("n m", "k"), ":int"),
]


def facts_of(function, shapes, sort):
    names = list(inspect.signature(function).parameters)
    keys = {"key", "other"}
    return {n: s + sort * (n in keys) for n, s in zip(names, shapes, strict=True)}


@pytest.mark.parametrize(
    "case, known", list(itertools.product(CASES, ("nothing", "shapes", "entries")))
)
def test_gradient(case, known):
    function, args, shapes, sort = case
    facts = facts_of(function, shapes, sort if known == "entries" else "")
    g = gradgen.grad(function, shapes=None if known == "nothing" else facts)
    found = g(*args)
    expected = numeric_gradient(function, args, 0).value
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
    # One True in a mask would be stretched along y, so that the sum is needed.
    if known == "entries" and (function, sort) != (embedding, ":bool"):
        assert "def _" not in g.source, g.source


def test_a_mask_is_stored_through_without_a_sum():
    """No place of a mask is named twice, so that np.add.at is not needed."""
    told = gradgen.emit(mean, shapes={"x": "n", "key": "n:bool"})
    assert "d_x[key] = d_out / len(x[key])" in told
    assert "key (n) bool" in told
    assert "add.at" in gradgen.emit(mean, shapes={"x": "n", "key": "n"})


def of_mask(x, key: 'Bool[np.ndarray, "n"]'):  # noqa: F722, F821
    return np.mean(x[key] ** 2)


def of_integers(x, key: 'Int64[np.ndarray, "n"]'):  # noqa: F722, F821
    return np.mean(x[key] ** 2)


@pytest.mark.parametrize("function, sort", [(of_mask, "bool"), (of_integers, "int")])
def test_annotations_tell_the_entries(function, sort):
    assert f"key (n) {sort}" in gradgen.emit(function, shapes={"x": "m"})


def test_an_example_tells_masks():
    text = gradgen.emit(mean, example=(x, MASK))
    assert "key (m) bool" in text
    assert '--shape key="m:bool"' in text


def test_a_captured_mask_is_one():
    keep = MASK.copy()

    def chosen(z):
        return np.mean(z[keep] ** 2)

    g = gradgen.grad(chosen, shapes={"z": "n"})
    np.testing.assert_allclose(g(x), np.where(MASK, 2 * x / 3, 0), rtol=1e-14)
    assert "keep (5) bool" in g.source


def test_what_is_told_holds_for_the_text_and_its_own_gradient():
    """The docstring of the text keeps what was told."""
    first = gradgen.grad(embedding, shapes={"x": "n m", "key": "k:int", "y": "k m"})
    second = gradgen.grad(first)
    assert "key (k) int" in second.source
    v = rng.normal(size=X.shape)
    hvp = second(X, ROWS, Y[:3], seed=v)
    counts = np.bincount(ROWS, minlength=4)[:, None]
    np.testing.assert_allclose(hvp, 2 * counts * v / 15, rtol=1e-13)


@pytest.mark.parametrize(
    "key, fact, message",
    [
        (ROWS, "n:bool", "GG503 the argument key holds int64 numbers"),
        (MASK, "n:int", "GG503 the argument key holds bool numbers"),
        (x, "n:int", "GG503 the argument key holds float64 numbers"),
    ],
)
def test_other_entries_than_told_are_refused(key, fact, message):
    g = gradgen.grad(mean, shapes={"x": "m", "key": fact})
    with pytest.raises(gradgen.GradgenError, match=message):
        g(x, key)


def test_integers_have_no_gradient():
    with pytest.raises(
        gradgen.GradgenError, match="GG002 key is told to be an integer"
    ):
        gradgen.emit(mean, wrt="key", shapes={"key": "n:int"})
    with pytest.raises(gradgen.GradgenError, match="GG402 'float' in the shape"):
        gradgen.emit(mean, shapes={"key": "n:float"})

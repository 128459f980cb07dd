"""Loops that count down, and loops over items: as people write them, and back."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.7, 1.1, 0.5])


def of_items(x, w):
    s = 0.0
    for one in reversed(x):
        s = one + w * s * one
    return s


def of_places(x, w):
    s = w
    for t in reversed(range(len(x))):
        s = np.tanh(x[t] * s) + x[t]
    return s


def counted_down(x, w):
    n = len(x)
    s = w
    for t in range(n - 1, -1, -1):
        s = np.sin(x[t] * s)
    return s


def counted_to_one(x, w):
    s = w
    for t in range(len(x) - 1, 0, -1):
        s = np.sin(x[t] * s)
    return s


def of_pairs(x, w):
    s = w
    for a, b in zip(x, x[::-1]):
        s = np.tanh(s + a * b)
    return s


def of_a_list_that_grows(x, w):
    kept = [w * one for one in x]
    s = 0.0
    for i in reversed(range(len(kept))):
        s = s * w + kept[i]
        kept.append(s)
    return s + kept[len(kept) - 1] ** 2


CASES = [of_items, of_places, counted_down, counted_to_one, of_pairs]
CASES += [of_a_list_that_grows]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{}, {"x": "n", "w": ""}], ids=["none", "told"])
def test_gradients_are_right(f, shapes):
    found = gradgen.grad(f, wrt=("x", "w"), shapes=shapes)(X, 0.8)
    for i, one in enumerate(found):
        truth = numeric_gradient(f, [X, 0.8], i).value
        np.testing.assert_allclose(one, truth, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("f", "there", "back"),
    [
        (of_items, "for i in reversed(range(len(x))):", "for i in range(len(x)):"),
        (of_places, "for t in reversed(range(len(x))):", "for t in range(len(x)):"),
        (counted_down, "for t in range(n - 1, -1, -1):", "for t in range(n):"),
    ],
)
def test_what_counts_down_counts_up_on_the_way_back(f, there, back):
    text = gradgen.emit(f, wrt="x", shapes={"x": "n", "w": ""})
    assert there in text and back in text


@pytest.mark.parametrize("f", [of_items, of_pairs])
def test_the_adjoint_of_an_item_is_stored_at_once(f):
    text = gradgen.emit(f, wrt="x", shapes={"x": "n", "w": ""})
    assert "d_one" not in text and "d_a =" not in text
    assert text.count("# Grad of: for ") == 1

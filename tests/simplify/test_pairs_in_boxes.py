"""Pairs with cutoffs and periodic boxes: their sums along either index are alike."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.random.default_rng(5).uniform(0.0, 3.0, (5, 2))


def in_a_box(x, box):
    d = x[:, None, :] - x[None, :, :]
    d = d - box * np.round(d / box)
    r2 = np.sum(d**2, axis=-1) + np.eye(len(x))
    return 0.5 * np.sum((1 - np.eye(len(x))) / r2)


def clipped(x, box):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=-1)
    return 0.5 * np.sum(np.clip(box - r2, 0, 1) ** 2)


def cut_off(x, box):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=-1) + np.eye(len(x))
    u = np.where(r2 < box, (1 - r2 / box) ** 2, 0.0)
    return np.sum(u * (1 - np.eye(len(x))))


def turned(x, box):
    d = np.sin((x[:, None, :] - x[None, :, :]) / box)
    return np.sum(np.exp(-np.sum(d**2, axis=-1)))


FUNCTIONS = [in_a_box, clipped, cut_off, turned]


BOXES = [2.3, np.array([2.3, 3.1])]
CASES = [
    (one, box) for one in FUNCTIONS for box in BOXES[: 1 + (one in (in_a_box, turned))]
]


@pytest.mark.parametrize("function, box", CASES)
def test_one_sum_and_right(function, box):
    shapes = {"x": "n d", "box": "d" if np.ndim(box) else ""}
    text = gradgen.emit(function, shapes=shapes)
    names = {}
    exec(text, names)
    found = names[f"grad_{function.__name__}"](X, box)
    want = numeric_gradient(function, [X, box], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    assert "einsum" not in text and "axis=0" not in text.split("# Grad of", 1)[1]


def one_sided(x, box):
    """What counts each pair once is no mirror of itself."""
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=-1)
    once = np.arange(len(x))[:, None] < np.arange(len(x))[None, :]
    return np.sum(np.where(once, np.exp(-r2 / box), 0.0) + np.maximum(d, 0)[:, :, 0])


def shifted(x, box):
    d = x[:, None, :] - x[None, :, :] + box
    return np.sum(np.sum(np.round(d) * d, axis=-1) ** 2)


@pytest.mark.parametrize("function", [one_sided, shifted])
def test_others_are_right(function):
    names = {}
    exec(gradgen.emit(function, shapes={"x": "n d", "box": ""}), names)
    found = names[f"grad_{function.__name__}"](X, 0.7)
    want = numeric_gradient(function, [X, 0.7], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)

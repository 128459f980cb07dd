"""Functions whose gradients are nan on a tape, in NumPy and in PyTorch, with points.

The JAX form is the NumPy form with jax.numpy in the place of numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def where_exp(x):
    return np.sum(np.where(x < 0, np.exp(x), 1.0))


def where_ratio(a, b):
    return np.sum(np.where(b != 0, a / b, 1.0))


def nansum_scaled(b, a):
    return np.nansum(a * b)


def nanmean_scaled(b, a):
    return np.nanmean(a * b)


def masked_ratio(x, div):
    y = x / div
    return np.sum(y[div != 0])


def angle(y, x):
    return np.sum(np.arctan2(y, x))


def length(x):
    return np.sqrt(np.sum(x * x))


def cross_entropy_of_logits(x, y):
    return np.sum(np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x))))


def cosine_rows(yh, y):
    norms = np.linalg.norm(yh, axis=1) * np.linalg.norm(y, axis=1)
    return np.sum(1 - np.sum(yh * y, axis=1) / norms)


def distances_above(X):
    diff = X[:, None, :] - X[None, :, :]
    return np.sum(np.triu(np.sqrt(np.sum(diff * diff, axis=-1)), 1))


def inner_contrast(patches):
    return np.sum(np.std(patches, axis=1)[1:-1])


@dataclass(frozen=True)
class Case:
    """A function, where its gradient in the first argument is asked for, and the
    right one; `torch` makes PyTorch's form of it from the module."""

    function: Callable
    shapes: dict[str, str]
    point: tuple
    right: list
    torch: Callable


ROWS = [[0.0, 0.0], [3.0, 4.0]]
VECTORS = {"x": "n"}
CASES = (
    Case(
        where_exp,
        VECTORS,
        ([-1.0, 100.0],),
        [0.36787944, 0],
        lambda t: lambda x: t.where(x < 0, t.exp(x), t.ones_like(x)).sum(),
    ),
    Case(
        where_ratio,
        {"a": "n", "b": "n"},
        ([1.0, 1.0], [0.0, 2.0]),
        [0, 0.5],
        lambda t: lambda a, b: t.where(b != 0, a / b, t.ones_like(a)).sum(),
    ),
    Case(
        nansum_scaled,
        {"b": "", "a": "n"},
        (1.0, [1.0, 2.0, np.nan]),
        [3],
        lambda t: lambda b, a: t.nansum(a * b),
    ),
    Case(
        nanmean_scaled,
        {"b": "", "a": "n"},
        (1.0, [1.0, 2.0, np.nan]),
        [1.5],
        lambda t: lambda b, a: t.nanmean(a * b),
    ),
    Case(
        masked_ratio,
        {"x": "n", "div": "n"},
        ([1.0, 1.0], [0.0, 1.0]),
        [0, 1],
        lambda t: lambda x, div: (x / div)[div != 0].sum(),
    ),
    Case(
        angle,
        {"y": "n", "x": "n"},
        ([1e-20, 1e-20, 0.0], [1e-20, 0.0, 0.0]),
        [5e19, 0, 0],
        lambda t: lambda y, x: t.atan2(y, x).sum(),
    ),
    Case(
        length,
        VECTORS,
        ([0.0, 0.0],),
        [0, 0],
        lambda t: lambda x: t.sqrt(t.sum(x * x)),
    ),
    Case(
        cross_entropy_of_logits,
        {"x": "n", "y": "n"},
        ([0.0], [0.3]),
        [0.2],
        lambda t: (
            lambda x, y: t.sum(t.maximum(x, 0 * y) - x * y + t.log1p(t.exp(-t.abs(x))))
        ),
    ),
    Case(
        cosine_rows,
        {"yh": "n d", "y": "n d"},
        (ROWS, [[1.0, 1.0], [0.0, 1.0]]),
        [0, 0, 0.096, -0.072],
        lambda t: (
            lambda yh, y: t.sum(
                1
                - (yh * y).sum(1) / (t.linalg.norm(yh, dim=1) * t.linalg.norm(y, dim=1))
            )
        ),
    ),
    Case(
        distances_above,
        {"X": "n d"},
        (ROWS,),
        [-0.6, -0.8, 0.6, 0.8],
        lambda t: (
            lambda X: t.triu(
                t.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(-1)), 1
            ).sum()
        ),
    ),
    Case(
        inner_contrast,
        {"patches": "n k"},
        ([[1.0, 1.0], [1.0, 3.0], [2.0, 2.0]],),
        [0, 0, -0.5, 0.5, 0, 0],
        lambda t: lambda x: t.std(x, dim=1, correction=0)[1:-1].sum(),
    ),
)

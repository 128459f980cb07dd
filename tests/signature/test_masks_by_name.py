"""Arguments called masks that are keys, of which nothing is told."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen


def masked(x, y, mask):
    return np.mean((x - y)[mask] ** 2)


def cleared(x, mask):
    z = x.copy()
    z[~mask] = 0.0
    return np.sum(z**3)


def labelled(x, labels, train_mask):
    z = x[train_mask]
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(z)), labels[train_mask]]))


def optional(x, mask=None):
    r = 2 * x
    if mask is not None:
        r = r[mask]
    return np.sum(r * r)


def columns(x, mask):
    return np.sum(x[:, mask] ** 2)


def renewed(x, mask):
    mask = np.flatnonzero(mask)
    return np.sum(x[mask] ** 2)


ROWS = np.array([True, False, True, True])
X = np.arange(12.0).reshape(4, 3) / 5 - 1
CALLS = [
    (masked, (X[:, 0], X[:, 1], ROWS)),
    (masked, (X, X * X, X > 0)),
    (masked, (X, X * X, ROWS)),
    (cleared, (X[:, 0], ROWS)),
    (cleared, (X, X > 0)),
    (labelled, (X, np.array([0, 2, 1, 1]), ROWS)),
    (optional, (X[:, 0], ROWS)),
    (optional, (X[:, 0],)),
    (columns, (X, np.array([True, False, True]))),
    (renewed, (X[:, 0], ROWS)),
]


def _text(function, **options):
    names: dict = {}
    text = gradgen.emit(function, "x", **options)
    exec(text, names)
    return text, names[f"grad_{function.__name__}"]


def _measured(function, args):
    x, *others = args
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    return np.reshape(
        [(function(x + s, *others) - function(x - s, *others)) / 2e-6 for s in steps],
        x.shape,
    )


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_the_text_is_right(function, args):
    _, gradient = _text(function)
    np.testing.assert_allclose(gradient(*args), _measured(function, args), atol=2e-8)
    _, general = _text(function, general=True)
    np.testing.assert_allclose(general(*args), _measured(function, args), atol=2e-8)


@pytest.mark.parametrize("function", [masked, labelled])
def test_places_are_none(function):
    args = next(args for one, args in CALLS if one is function)
    _, gradient = _text(function)
    with pytest.raises(ValueError, match="mask"):
        gradient(*args[:-1], np.array([0, 2]))
    _, general = _text(function, general=True)
    want = _measured(function, (*args[:-1], np.array([0, 2])))
    np.testing.assert_allclose(general(*args[:-1], np.array([0, 2])), want, atol=1e-8)


def test_what_is_read_by_a_mask_is_stored_by_it():
    for function in (masked, labelled, optional):
        text, _ = _text(function)
        assert "np.add.at" not in text and "broadcast_to" not in text, text


def test_what_is_told_counts():
    _, gradient = _text(masked, shapes={"mask": "m:int"})
    args = X[:, 0], X[:, 1], np.array([0, 0, 3])
    np.testing.assert_allclose(gradient(*args), _measured(masked, args), atol=1e-8)

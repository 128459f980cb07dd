"""np.take_along_axis of one entry a row is an index: cross-entropy as by hand."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(1)
X, LABELS = RNG.normal(size=(4, 3)), np.array([0, 2, -1, 1])


def cross_entropy(logits, labels):
    z = logits - logits.max(axis=1, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return np.mean(-np.take_along_axis(logp, labels[:, None], axis=1)[:, 0])


def from_the_last(logits, labels):
    column = labels[:, None]
    picked = np.take_along_axis(np.exp(logits), column, -1)
    return np.sum(picked[:, 0] ** 2)


def twice(logits, labels):
    picked = np.take_along_axis(logits, labels[:, None], axis=1)
    return np.sum(picked[:, 0] * picked[:, 0] * np.arange(len(labels)))


def as_a_column(logits, labels):
    picked = np.take_along_axis(logits, labels[:, None], axis=1)
    return np.sum(picked * logits) + np.sum(picked[:, 0])


def of_columns(logits, labels):
    return np.sum(np.take_along_axis(logits, labels[None, :3], axis=0)[0] ** 2)


def of_one_row(logits, labels):
    """One row, of which each label picks an entry."""
    row = logits[:1]
    return np.sum(np.take_along_axis(row, labels[:, None], axis=1)[:, 0] ** 2)


FUNCTIONS = [cross_entropy, from_the_last, twice, as_a_column, of_columns, of_one_row]


@pytest.mark.parametrize("told", [{}, {"shapes": {"logits": "n k", "labels": "n:int"}}])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_gradient_is_right(function, told):
    want = numeric_gradient(function, [X, LABELS], 0).value
    value, found = gradgen.value_and_grad(function)(X, LABELS)
    np.testing.assert_allclose(value, function(X, LABELS))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    names = {}
    exec(gradgen.emit(function, **told), names)
    found = names[f"grad_{function.__name__}"](X, LABELS)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("function", [cross_entropy, from_the_last, twice])
def test_no_helper(function):
    shapes = {"logits": "n k", "labels": "n:int"}
    text = gradgen.emit(function, shapes=shapes)
    assert "def _" not in text and "add.at" not in text


@pytest.mark.parametrize("labels", [np.array([0, 1]), LABELS > 0])
def test_what_numpy_refuses_raises(labels):
    with pytest.raises((IndexError, ValueError)):
        cross_entropy(X, labels)
    names = {}
    shapes = {"logits": "n k", "labels": "n:int"}
    exec(gradgen.emit(cross_entropy, shapes=shapes), names)
    with pytest.raises((IndexError, ValueError, gradgen.GradgenError)):
        gradgen.grad(cross_entropy)(X, labels)
    if labels.dtype.kind == "i":
        with pytest.raises(IndexError):
            names["grad_cross_entropy"](X, labels)


def test_the_cross_entropy_is_that_of_the_books():
    shapes = {"logits": "n k", "labels": "n:int"}
    text = gradgen.emit(cross_entropy, shapes=shapes)
    assert "d_logits[np.arange(len(logits)), labels] -= " in text
    assert "hits" not in text and "zeros_like" not in text

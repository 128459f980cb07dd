"""What may be left out stretches nothing where it is given: mask=None, weights=None."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.signature.test_assumed import assumed

R = np.random.default_rng(7)


def real(*shape):
    return R.uniform(0.3, 1.2, shape)


def weighted(w, X, y, sample_weight=None):
    r = X @ w - y
    if sample_weight is None:
        sample_weight = np.ones(len(y))
    return np.sum(sample_weight * r**2) / np.sum(sample_weight)


def counted(beta, X, y, offset=None, weights=None):
    eta = X @ beta
    if offset is not None:
        eta = eta + offset
    ll = y * eta - np.exp(0.1 * eta)
    if weights is not None:
        ll = ll * weights
    return -np.mean(ll)


def masked(pred, target, mask=None):
    error = (pred - target) ** 2
    if mask is not None:
        return np.sum(error * mask) / np.sum(mask)
    return np.mean(error)


def attention(q, k, v, mask=None):
    s = q @ k.T / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    s = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return np.sum((s / np.sum(s, axis=-1, keepdims=True) @ v) ** 2)


def prior(w, X, y, mu=None, precision=1.0):
    d = w if mu is None else w - mu
    return np.sum((X @ w - y) ** 2) + precision * d @ d


X, y, w = real(6, 3), real(6), real(3)
SQUARE = real(4, 5) > 0.5
SQUARE[:, 0] = True
GIVEN = {
    weighted: [(w, X, y), (w, X, y, real(6)), (w, X, y, 2.0), (w, X, y, real(1))],
    counted: [
        (w, X, y, *more)
        for more in itertools.product((None, real(6), 0.5), (None, real(6), real(1)))
    ],
    masked: [
        (real(4, 3), real(4, 3)),
        (real(4, 3), real(3), real(4, 3)),
        (real(4, 3), real(4, 3), real(4, 1)),
        (real(4), real(4), np.array([True, False, True, True])),
    ],
    attention: [
        (real(4, 3), real(5, 3), real(5, 2)),
        (real(4, 3), real(5, 3), real(5, 2), SQUARE),
        (real(4, 3), real(5, 3), real(5, 2), SQUARE[1]),
        (real(4, 3), real(5, 3), real(5, 2), True),
    ],
    prior: [(w, X, y), (w, X, y, real(3)), (w, X, y, 0.5, 2.0)],
}


@pytest.mark.parametrize("function", GIVEN, ids=lambda one: one.__name__)
def test_with_it_and_without(function):
    text = assumed(function)[1]
    names: dict = {}
    exec(text, names)
    assert "_unbroadcast" not in text or function is masked
    for args in GIVEN[function]:
        found = names[f"grad_{function.__name__}"](*args)
        want = numeric_gradient(function, args, 0).value
        assert np.shape(found) == np.shape(want)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def two_groups(w, X, y, offset, scale, weights=None, widths=None):
    r = X @ w + offset - y
    Z = X / scale
    if weights is not None:
        r = r * weights
    if widths is not None:
        Z = Z * widths
    return np.sum(r * r) + np.sum(Z @ Z.T)


OF_TWO = (w, X, y, real(6), 2.0)


@pytest.mark.parametrize("weights", [None, 0.5, real(6), real(2, 6), real(6, 1)])
@pytest.mark.parametrize("widths", [None, 0.5, real(3), real(6, 1), real(2, 6, 3)])
def test_each_is_looked_at_by_itself(weights, widths):
    names: dict = {}
    exec(assumed(two_groups)[1], names)
    args = (*OF_TWO, weights, widths)
    if np.ndim(weights) > 1 or np.ndim(widths) > 2:  # np.ndim(None) is 0
        with pytest.raises(ValueError, match="expected|taken for"):
            names["grad_two_groups"](*args)
        return
    found = names["grad_two_groups"](*args)
    want = numeric_gradient(two_groups, args, 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


TOO_LARGE = [
    (weighted, (w, X, y, real(2, 6))),
    (counted, (w, X, y, real(2, 6))),
    (counted, (w, X, y, None, real(6, 6))),
    (masked, (real(4, 3), real(4, 3), real(2, 4, 3))),
    (attention, (real(4, 3), real(5, 3), real(5, 2), np.ones((2, 4, 5), bool))),
    (prior, (w, X, y, real(2, 3))),
]


@pytest.mark.parametrize("function, args", TOO_LARGE)
def test_what_is_larger_is_refused(function, args):
    names: dict = {}
    exec(assumed(function)[1], names)
    with pytest.raises(ValueError, match="expected|taken for"):
        names[f"grad_{function.__name__}"](*args)


def test_of_what_the_gradient_is_for_nothing_is_assumed():
    def layer(b, x, W, c=None):
        z = x @ W + b
        return np.sum(np.tanh(z if c is None else z * c))

    text = gradgen.emit(layer, wrt=["b", "c"])
    assert "c broadcasts" not in text
    names: dict = {}
    exec(text, names)
    args = (real(4), real(5, 3), real(3, 4), real(5, 1))
    d_b, d_c = names["grad_layer"](*args)
    np.testing.assert_allclose(d_b, numeric_gradient(layer, args, 0).value, rtol=1e-6)
    np.testing.assert_allclose(d_c, numeric_gradient(layer, args, 3).value, rtol=1e-6)


def rebalanced(w, before=None, cost=0.1):
    total = np.sum(w**2)
    if before is not None:
        total = total + cost * np.sum((w - before) ** 2)
    return total


def filled_in(w, before=None, cost=0.1):
    if before is None:
        before = np.zeros_like(w)
    return np.sum(w**2) + cost * np.sum((w - before) ** 2)


def with_a_bias(w, X, bias=None, scale=None):
    scores = X @ w
    if bias is not None:
        scores = scores + bias
    if scale is not None:
        scores = scores * scale
    return np.sum(scores**2)


OF_AN_EXAMPLE = [
    (rebalanced, (real(3), real(3)), 1),
    (filled_in, (real(3), real(3)), 1),
    (with_a_bias, (real(3), real(4, 3), real(4), real(4)), 2),
]


@pytest.mark.parametrize("function, args, required", OF_AN_EXAMPLE)
def test_an_example_that_gives_it_leaves_it_optional(function, args, required):
    names: dict = {}
    exec(gradgen.emit(function, example=args), names)
    gradient = names[f"grad_{function.__name__}"]
    for count in range(required, len(args) + 1):
        want = numeric_gradient(function, args[:count], 0).value
        np.testing.assert_allclose(gradient(*args[:count]), want, rtol=1e-6)
    longer = (*args[:-1], real(len(args[-1]) + 1))
    with pytest.raises(ValueError, match="expected"):
        gradient(*longer)

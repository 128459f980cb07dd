"""Products of lengths that an operation takes for equal: their factors are, one by one."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(2)


def dice_loss(probs, targets, smooth=1.0):
    p = probs.reshape(probs.shape[0], -1)
    t = targets.reshape(targets.shape[0], -1)
    inter = (p * t).sum(axis=1)
    return 1 - np.mean((2 * inter + smooth) / (p.sum(axis=1) + t.sum(axis=1) + smooth))


def flat(x, y):
    return np.sum(np.sin(x.ravel()) * y.ravel())


def measured(function, *args):
    return [numeric_gradient(function, args, i).value for i in range(2)]


def close(found, want):
    for one, other in zip(found, want, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_the_same_shapes_need_no_helper():
    for function in (dice_loss, flat):
        g = gradgen.grad(function, wrt=(0, 1))
        x, y = RNG.uniform(size=(2, 3, 4)), RNG.uniform(size=(2, 3, 4))
        close(g(x, y), measured(function, x, y))
        assert "def _" not in g.source and "?" not in g.source
        longer = RNG.uniform(size=(5, 2, 7)), RNG.uniform(size=(5, 2, 7))
        text = g.source
        close(g(*longer), measured(function, *longer))
        assert g.source == text


def test_other_factors_of_the_same_product_get_another_text():
    for function in (dice_loss, flat):
        g = gradgen.grad(function, wrt=(0, 1))
        x, y = RNG.uniform(size=(2, 3, 4)), RNG.uniform(size=(2, 3, 4))
        other = RNG.uniform(size=(2, 6, 2))
        close(g(x, y), measured(function, x, y))
        close(g(x, other), measured(function, x, other))
        close(g(other, y), measured(function, other, y))
        close(g(x, y), measured(function, x, y))
        first = gradgen.grad(function, wrt=(0, 1))
        close(first(x, other), measured(function, x, other))
        close(first(x, y), measured(function, x, y))

"""Adjoints that are a part of an argument as it stands, and are stored into after that.

With a seed of 1 the adjoint of `p @ r` is r itself, which is x[i]; `x[i][1] += 2` would change
the caller's array and nothing else.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.scopes import watched

X = np.array([[3.0, 0.4, 0.2], [0.3, 2.0, -0.5], [0.1, 0.6, 2.5]])
W = np.array([0.1, 0.2, 0.3])


def one_entry_more(x, w):
    p, t = w, 0.0
    for r in x:
        t += p @ r
        t += p[1] * 2
        p = w if r[0] > 1 else r
    return t + w @ p


def in_an_arm(x, w):
    p, t = w, 0.0
    for r in x:
        if r[0] > 0.2:
            t += p @ r
            t += p[1] * 2
        else:
            t += p[0] * 3
        p = w
    return t


def behind_a_branch(x, w):
    if x[0, 0] > 1:
        t = w @ x[1]
        t += w[0] * 3
    else:
        t = w @ x[2]
        t += w[1] * 2
    return t


def places(x, w):
    p, t = w * 1.0, 0.0
    for r in x:
        t += p @ r
        t += np.sum(p[[0, 0, 2]])
        p = r
    return t


@pytest.mark.parametrize(
    "function", (one_entry_more, in_an_arm, behind_a_branch, places)
)
@pytest.mark.parametrize("wrt", (0, 1))
def test_the_arguments_stay_as_they_were(function, wrt):
    args = X.copy(), W.copy()
    want = numeric_gradient(function, (X, W), wrt).value
    with watched() as out_of_place:
        got = gradgen.jacobian(function, wrt=wrt)(*args)
        gradient = gradgen.grad(function, wrt=wrt)
        along = args[wrt][..., ::-1].copy()
        product = gradgen.hvp(function, wrt=wrt)(*args, along)
    assert not out_of_place
    assert np.array_equal(args[0], X) and np.array_equal(args[1], W)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)

    def slope(h):
        ways = []
        for step in (h, -h):
            moved = [X.copy(), W.copy()]
            moved[wrt] += step * along
            ways.append(gradient(*moved))
        return (ways[0] - ways[1]) / (2 * h)

    np.testing.assert_allclose(product, slope(1e-4), rtol=1e-6, atol=1e-6)


def ran(text, *args):
    """What the one gradient of a text gives."""
    space = {}
    exec(text, space)
    (name,) = (one for one in space if one.startswith("grad_"))
    return space[name](*args)


def added(a, k):
    m = np.outer(a, a)
    m[0, :2] += a[k:][:2]
    return np.sum(m * m)


def stored(a, k):
    m = np.outer(a, a)
    m[:2, 1] = a[k:][:2]
    return np.sum(m * m)


def multiplied(a, k):
    m = np.exp(np.outer(a, a))
    return np.sum(m[0, :2] * a[k:][:2])


@pytest.mark.parametrize("function", (added, stored, multiplied))
@pytest.mark.parametrize("k", (0, 1, 2))
def test_a_part_of_a_part_may_be_one_entry_that_is_stretched(function, k):
    x = np.array([0.3, -0.4, 0.7])
    want = numeric_gradient(function, (x, k), 0).value
    text = gradgen.emit(function, wrt="a")
    got = ran(text, x, k)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def joined(y):
    t = y[:2] / np.sum(y, axis=-1, keepdims=True)
    return np.concatenate([t, y])


@pytest.mark.parametrize("n", (1, 2, 3))
def test_the_length_of_a_part_is_that_of_an_axis(n):
    text = gradgen.emit(joined, shapes={"y": "n"})
    assert "_unbroadcast" not in text and "full_like(t" not in text
    y, d_out = np.linspace(0.4, 1.1, n), np.linspace(0.3, 0.9, min(n, 2) + n)
    want = numeric_gradient(lambda y: np.sum(joined(y) * d_out), (y,), 0).value
    got = ran(text, y, d_out)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)

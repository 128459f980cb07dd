"""np.put_along_axis: a store by places along an axis."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

R = np.random.default_rng(5)
X = R.normal(size=(4, 3))
LABELS = np.array([0, 2, 1, 1])
CUBE = R.normal(size=(2, 3, 4))


def smoothed(x, eps):
    n, k = x.shape
    t = np.full((n, k), eps / k)
    np.put_along_axis(t, LABELS[:, None], 1 - eps + eps / k, axis=1)
    return -np.mean(
        np.sum(t * (x - np.log(np.sum(np.exp(x), axis=1)[:, None])), axis=1)
    )


def cleared(x):
    y = x * x
    np.put_along_axis(y, LABELS[None, :3] % 4, 0.0, 0)
    return np.sum(np.sin(y))


def last_of_three(x):
    y = x**2
    places = np.argmax(x, axis=-1)[..., None]
    np.put_along_axis(y, places, np.sum(x, axis=-1, keepdims=True), axis=-1)
    return np.sum(y**2)


def middle_of_three(x):
    y = x * 2
    np.put_along_axis(arr=y, indices=np.array([[[1]]]), values=x[:, :1] * 3, axis=1)
    return np.sum(y**2)


def of_a_vector(x):
    y = x + 1
    np.put_along_axis(y, np.array([2, 0]), x[:2] ** 2, 0)
    return np.sum(y * y)


def named_twice(x):
    y = x * 1.5
    np.put_along_axis(y, np.array([[1, 1]]), x[:1, :2], 1)
    return np.sum(y**2)


CASES = [
    (smoothed, (X, 0.1), 0),
    (smoothed, (X, 0.1), 1),
    (cleared, (X,), 0),
    (last_of_three, (CUBE,), 0),
    (middle_of_three, (CUBE,), 0),
    (of_a_vector, (np.array([0.3, -0.4, 0.9]),), 0),
    (named_twice, (X[:1],), 0),
]


@pytest.mark.parametrize("f, args, wrt", CASES)
def test_a_store_along_an_axis(f, args, wrt):
    compare(f, args, wrt, text=f is smoothed)


def of_unknown_ranks(x, places):
    y = x * 2
    np.put_along_axis(y, places, 0.0, axis=-1)
    return np.sum(y**2)


@pytest.mark.parametrize(
    "x, places", [(X, np.array([[1], [0], [2], [2]])), (X[0], np.array([1]))]
)
def test_a_text_of_unknown_ranks_is_right_or_raises(x, places):
    space = {}
    exec(gradgen.emit(of_unknown_ranks), space)
    want = 8 * x
    np.put_along_axis(want, places, 0.0, axis=-1)
    try:
        found = space["grad_of_unknown_ranks"](x, places)
    except ValueError as error:
        assert "is taken for" in str(error)
        return
    np.testing.assert_allclose(found, want, rtol=1e-12)

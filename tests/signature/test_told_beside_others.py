"""What is told of one argument has its lengths at hand: others are known by them."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(8)


def added(X, w):
    return np.sum((X + w) ** 2)


def multiplied(X, w):
    return np.sum(np.sin(X @ w))


def of_both(X, w):
    return np.sum((X * w) @ X.T)


def in_einsum(X, w):
    return np.sum(X / np.einsum("ij,jk->ik", w, X[:, 0]))


def in_rounds(X, w):
    total = 0.0
    for i in range(len(X)):
        total = total + np.sum(X[i] * w) ** 2
    return total


def array(*shape):
    return RNG.uniform(0.5, 1.5, shape)


CALLS = [
    (added, "n d", [((5, 3), (5, 3)), ((5, 3), (3,)), ((5, 3), (5, 1)), ((5, 3), ())]),
    (
        added,
        "n d",
        [((3, 3), (3, 3)), ((1, 3), (4, 3)), ((5, 1), (5, 4)), ((4, 3), (3,))],
    ),
    (added, "n n", [((3, 3), (3, 3)), ((4, 4), (4,)), ((2, 2), (2, 1))]),
    (
        added,
        "n d",
        [((3, 3), (3,)), ((4, 2), (2,)), ((3, 3), (3, 1)), ((4, 2), (4, 1))],
    ),
    (
        multiplied,
        "n d",
        [((5, 3), (3,)), ((5, 2), (2,)), ((3, 3), (3, 2)), ((2, 4), (4, 2))],
    ),
    (
        of_both,
        "n d",
        [((5, 3), (5, 3)), ((3, 3), (3,)), ((5, 3), (1, 3)), ((2, 4), (4,))],
    ),
    (
        in_einsum,
        "b n d",
        [((2, 2, 3), (2, 2)), ((3, 2, 4), (2, 3)), ((3, 2, 4), (1, 3))],
    ),
    (in_rounds, "n d", [((5, 3), (3,)), ((3, 3), (3,)), ((4, 2), (1,)), ((4, 2), ())]),
]


@pytest.mark.parametrize("function, fact, shapes", CALLS)
@pytest.mark.parametrize("wrt", ["w", "X"])
def test_calls_in_turn(function, fact, shapes, wrt):
    """Each call is right, and knows of w what a call that is told nothing knows."""
    gradient = gradgen.grad(function, wrt=wrt, shapes={"X": fact})
    untold = gradgen.grad(function, wrt=wrt)
    for _ in range(2):
        for of_x, of_w in shapes:
            args = [array(*of_x), array(*of_w)]
            at = ["X", "w"].index(wrt)
            found = gradient(*args)
            want = numeric_gradient(function, args, at).value
            assert np.shape(found) == np.shape(args[at])
            np.testing.assert_allclose(found, want, 1e-6, 1e-7)
            untold(*args)
            if 1 not in of_x:  # an axis that is told, and is stretched, has a helper
                assert gradient.source.count("def _") <= untold.source.count("def _")


def test_a_signature_is_given():
    gradient = gradgen.grad(added, wrt="w", shapes={"X": "n d"})
    assert gradient.specialize(array(5, 3), array(3)).signature == {"w": "d"}
    assert gradient.specialize(array(5, 3), array(5, 1)).signature == {"w": "n 1"}
    square = gradgen.grad(added, wrt="w", shapes={"X": "n n"})
    assert square.specialize(array(3, 3), array(3)).signature == {"w": "n"}


def test_what_does_not_fit_is_refused_as_the_function_refuses_it():
    gradient = gradgen.grad(added, wrt="w", shapes={"X": "n d"})
    gradient(array(5, 3), array(3))
    with pytest.raises((GradgenError, ValueError)):
        gradient(array(5, 3), array(4))
    with pytest.raises((GradgenError, ValueError)):
        gradgen.grad(added, wrt="w", shapes={"X": "n n"})(array(5, 3), array(3))


def joined(x, w):
    return np.sum(np.einsum("i,ij->j", x, w) ** 2)


def of_columns(x, w):
    y = np.sum(w, axis=1, keepdims=True)
    return np.sum(np.einsum("ij,jk->ik", np.tanh(y), x) ** 2)


def with_a_seed(x, seed):
    s = np.einsum("i,ij->j", x, seed)
    return s + 1.0


@pytest.mark.parametrize("wrt", ["x", "w"])
@pytest.mark.parametrize("of_w", ["*s", None])
@pytest.mark.parametrize(
    "function, fact, shapes",
    [
        (joined, "n", [((3,), (3, 4)), ((3,), (1, 4)), ((5,), (1, 1)), ((4,), (4, 2))]),
        (
            of_columns,
            "n 1",
            [((3, 1), (3, 4)), ((3, 1), (2, 1)), ((5, 1), (1, 4)), ((1, 1), (2, 2))],
        ),
    ],
)
def test_what_numpy_stretches_beside_what_is_told(function, fact, shapes, of_w, wrt):
    """An argument of whatever axes has one that is 1, along one that is told."""
    told = {"x": fact} | ({"w": of_w} if of_w else {})
    gradient = gradgen.grad(function, wrt=wrt, shapes=told)
    for of_x, given in shapes * 2:
        args = [array(*of_x), array(*given)]
        at = ["x", "w"].index(wrt)
        found = gradient(*args)
        want = numeric_gradient(function, args, at).value
        assert np.shape(found) == np.shape(args[at])
        np.testing.assert_allclose(found, want, 1e-6, 1e-7)


def test_an_argument_that_is_called_as_the_seed_is():
    gradient = gradgen.grad(with_a_seed, wrt="x", shapes={"x": "n", "seed": "*s"})
    x, rows = array(3), array(1, 4)
    np.testing.assert_allclose(
        gradient(x, rows, seed=np.ones(4)), np.full(3, np.sum(rows)), 1e-12
    )
    rows = array(3, 4)
    np.testing.assert_allclose(
        gradient(x, rows, seed=np.ones(4)), np.sum(rows, axis=1), 1e-12
    )

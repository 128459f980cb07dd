"""check_grads: small faults that are rejected, and right gradients at odd arguments."""

import numpy as np
import pytest

from gradgen import GradgenError, check_grads
from gradgen.verify.gradients import Unmeasured, Wrong, examine
from tests.verify.test_gradients import joint, subject

RNG = np.random.default_rng(0)
X = np.array([0.3, -1.2, 0.7, 1.9, -0.4])
ROWS, W = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 2))
UNEVEN = np.array([1e4, 1e-2, 1.0, 2.0, 3.0])


def layer(x, w):
    return np.tanh(x @ w)


def grad_layer(x, w, d_out):
    return (d_out * (1 - np.tanh(x @ w) ** 2)) @ w.T


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def grad_softmax(x, d_out):
    s = softmax(x)
    return s * (d_out - np.sum(d_out * s))


def cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


def grad_cosine(a, b):
    return b / np.sqrt((a @ a) * (b @ b)) - cosine(a, b) * a / (a @ a)


def narrow(x):
    return x.astype(np.float32)


REJECTED = {
    "abs of the seed of an array": (
        layer,
        lambda x, w, d_out: grad_layer(x, w, np.abs(d_out)),
        (ROWS, W),
    ),
    "abs of the seed of a number": (
        lambda x: np.sum(x**2),
        lambda x, d_out: abs(d_out) * 2 * x,
        (X,),
    ),
    "abs of a callback's seed": (
        lambda x: x**3,
        lambda x: (x**3, lambda d: np.abs(d) * 3 * x**2),
        (X,),
    ),
    "0 beside a large entry": (
        lambda x: np.sum(UNEVEN * x**2),
        lambda x: 2 * UNEVEN * x * (UNEVEN > 0.1),
        (X,),
    ),
    "0 beside a large entry, by differences": (
        lambda x: np.sum(UNEVEN * np.abs(x)),
        lambda x: UNEVEN * np.sign(x) * (UNEVEN > 0.1),
        (X,),
    ),
    "0 beside a large entry, in float32": (
        lambda x: np.sum(UNEVEN.astype(x.dtype) * x**2),
        lambda x: (2 * UNEVEN * x * (UNEVEN > 0.1)).astype(x.dtype),
        (narrow(X),),
    ),
    "0 of a small function": (
        lambda x: 1e-12 * np.sum(x**2),
        lambda x: 0 * x,
        (X,),
    ),
    "0 of a small function, by differences": (
        lambda x: 1e-12 * np.sum(np.abs(x)),
        lambda x: 0 * x,
        (X,),
    ),
    "0 of a small array": (layer, lambda x, w, d_out: 0 * x, (ROWS, 1e-12 * W)),
    "1.001 in float32": (
        lambda x: np.sum(np.exp(x)),
        lambda x: np.float32(1.001) * np.exp(x),
        (narrow(X),),
    ),
    "1.001 in float32, by differences": (
        lambda x: np.sum(np.abs(x) ** 3),
        lambda x: np.float32(3.003) * x * np.abs(x),
        (narrow(X),),
    ),
    "1.001 in float32, of an array": (
        layer,
        lambda x, w, d_out: np.float32(1.001) * grad_layer(x, w, d_out),
        (narrow(ROWS), narrow(W)),
    ),
    "1 + 1e-6": (
        lambda x: np.sum(np.exp(x)),
        lambda x: (1 + 1e-6) * np.exp(x),
        (X,),
    ),
    "1 + 1e-6, by differences": (
        lambda x: np.sum(np.abs(x) ** 3),
        lambda x: (1 + 1e-6) * 3 * x * np.abs(x),
        (X,),
    ),
    "1 + 1e-6 beside a large constant": (
        lambda x: 1e6 + np.sum(np.sin(x)),
        lambda x: (1 + 1e-6) * np.cos(x),
        (X,),
    ),
    "what an unused argument gets": (
        lambda x: np.sum(x[:3]),
        lambda x: 1.0 * (np.arange(len(x)) < 3) + 1e-9,
        (X,),
    ),
}


@pytest.mark.parametrize("what", REJECTED)
def test_a_small_fault_is_rejected(what):
    f, hand, args = REJECTED[what]
    with pytest.raises(GradgenError) as caught:
        check_grads(f, hand, args)
    assert caught.value.code == "GG601"


ACCEPTED = {
    "squares of a million": (lambda x: np.sum(x**2), lambda x: 2 * x, (1e6 * X,)),
    "a million": (lambda x: x**2, lambda x: 2 * x, (1e6,)),
    "abs of a million": (
        lambda x: np.sum(np.abs(x) ** 2),
        lambda x: 2 * x,
        (1e6 * X,),
    ),
    "logarithms near 0": (
        lambda x: np.sum(np.log(np.abs(x))),
        lambda x: 1 / x,
        (1e-9 * X,),
    ),
    "huge": (lambda x: np.sum(x**3), lambda x: 3 * x**2, (1e60 * X,)),
    "tiny": (lambda x: np.sum(x**3), lambda x: 3 * x**2, (1e-60 * X,)),
    "mixed": (
        lambda x: np.sum(x**2),
        lambda x: 2 * x,
        (np.array([1e8, 1e-8, 1.0, 0.0]),),
    ),
    "a list": (
        lambda x: np.sum(np.asarray(x) ** 2),
        lambda x: 2 * np.asarray(x),
        ([1.0, 2.0, 3.0],),
    ),
    "a list for a list": (
        lambda x: x[0] * x[1] * x[2],
        lambda x: [x[1] * x[2], x[0] * x[2], x[0] * x[1]],
        ([1.0, 2.0, 3.0],),
    ),
    "a list of whole numbers": (
        lambda x: np.sum(np.asarray(x) ** 2),
        lambda x: 2 * np.asarray(x),
        ([1, 2, 3],),
    ),
    "a list of rows": (
        lambda x, w: np.sum(np.asarray(x) @ np.asarray(w)),
        lambda x, w: np.sum(w, axis=1) + 0 * np.asarray(x),
        ([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]], W.tolist()),
    ),
    "places in a list": (
        lambda x, at: np.sum(x[at] ** 2),
        lambda x, at: 2 * x * np.isin(np.arange(len(x)), at),
        (X, [0, 3]),
    ),
    "a softmax": (softmax, grad_softmax, (X,)),
    "what is always 1": (
        lambda x: np.sum(softmax(x)),
        lambda x, d_out: grad_softmax(x, d_out * np.ones_like(x)),
        (X,),
    ),
    "vectors at right angles to no change": (cosine, grad_cosine, (X, 2 * X)),
    "a standard deviation": (
        np.std,
        lambda x: (x - x.mean()) / (x.size * np.std(x)),
        (X,),
    ),
    "a kink nearby": (
        lambda x: np.sum(np.abs(x)),
        np.sign,
        (np.array([1e-9, 1.0, 2.0]),),
    ),
    "a large constant": (
        lambda x: 1e6 + np.sum(np.sin(x)),
        lambda x: np.cos(x),
        (X,),
    ),
    "an argument that is not used": (
        lambda y, x: np.sum(x),
        lambda y, x: 0 * y,
        (X, X),
    ),
    "a gradient for one length": (
        lambda x: x[0] * x[1],
        lambda x: np.array([x[1], x[0], 0.0, 0.0, 0.0]),
        (X,),
    ),
    "a norm in float32": (
        np.linalg.norm,
        lambda x: x / np.linalg.norm(x),
        (narrow(X),),
    ),
}


@pytest.mark.parametrize("what", ACCEPTED)
def test_a_right_gradient_is_accepted(what):
    f, hand, args = ACCEPTED[what]
    check_grads(f, hand, args)


def test_the_verdict_says_what_was_tried():
    said = str(check_grads(layer, grad_layer, (ROWS, W)))
    for words in ("seeds of both signs", "2 other points", "with 1 in place of 4"):
        assert words in said


def test_an_array_beside_the_arguments_keeps_its_length():
    target = np.arange(5.0)

    def distance(x):
        return np.sum((x - target) ** 2)

    said = str(check_grads(distance, lambda x: 2 * (x - target), (X,)))
    assert "in place of 5" not in said


def chaotic(X):
    for _ in range(80):
        X = 1.9 - X * X
    return np.sum(X)


def test_what_magnifies_rounding_is_not_called_wrong():
    text = "def grad_chaotic(X, d_out=1.0):\n    return 0 * X\n"
    found = examine(subject(chaotic, text, X="n"))
    assert isinstance(found, Unmeasured) and found.why


def exponentials(X):
    return np.sum(np.exp(X))


@pytest.mark.parametrize("factor", ["1.001", "1.0001", "(1 + 1e-6 * (X.dtype == 'd'))"])
def test_a_factor_in_one_dtype_is_found_in_a_committed_file(factor):
    right = joint("d_out * np.exp(X)", "grad_exponentials(X, d_out=1.0)")
    assert not isinstance(examine(subject(exponentials, right, X="n")), Wrong)
    by = factor if "dtype" in factor else f"(1 if X.dtype == 'd' else {factor})"
    wrong = right.replace("d_out * np", f"np.asarray({by}, X.dtype) * d_out * np")
    assert isinstance(examine(subject(exponentials, wrong, X="n")), Wrong)

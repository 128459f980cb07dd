"""Vectors that are packed of parts: as long as what the parts meet, and looked at."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

R = np.random.default_rng(5)
A, D = R.normal(size=(3, 3)), R.normal(size=(3, 2))
# function, its arguments, whether a text with nothing told has no helper either
PACKED = {
    "halves": (
        "x, A):\n    m = A.shape[0]\n    return A @ (x[:m] * np.cos(x[m:]))",
        (R.normal(size=6), A),
        True,
    ),
    "thirds": (
        "x, A):\n    m = len(A)\n    a, b, c = x[:m], x[m : 2 * m], x[2 * m :]\n"
        "    return np.sum(A @ (a * b) + np.sin(c))",
        (R.normal(size=9), A),
        False,
    ),
    "players and items": (
        "w, D):\n    n, k = D.shape\n"
        "    return np.sum(np.log(1 + np.exp(w[:n, None] - w[n:])) * D)",
        (R.normal(size=5), D),
        False,
    ),
    "to the end": (
        "w, D):\n    n, k = D.shape\n    a, b = w[0:n], w[n : n + k]\n"
        "    return np.sum(a * D.sum(axis=1)) + np.sum(np.tanh(b) * D.sum(axis=0))",
        (R.normal(size=5), D),
        False,
    ),
    "bias": (
        "theta, X):\n    d = X.shape[1]\n"
        "    return np.sum(np.tanh(X @ theta[:d] + theta[d]))",
        (R.normal(size=3), R.normal(size=(4, 2))),
        False,
    ),
}


def gradients(function, args, **options):
    made: dict = {}
    text = gradgen.emit(function, **options)
    exec(text, made)
    seed = R.normal(size=np.shape(function(*args)))
    want = numeric_gradient(lambda x: function(x, *args[1:]), args[:1], 0, seed).value
    return text, made["grad_f"], seed, want


@pytest.mark.parametrize("name", PACKED)
def test_by_example(name, tmp_path):
    source, args, _ = PACKED[name]
    function = written(f"def f({source}\n", tmp_path)
    text, gradient, seed, want = gradients(function, args, example=args)
    np.testing.assert_allclose(gradient(*args, seed), want, rtol=1e-6)
    assert "\ndef _" not in text


@pytest.mark.parametrize("name", PACKED)
def test_with_nothing_told(name, tmp_path):
    source, args, is_plain = PACKED[name]
    function = written(f"def f({source}\n", tmp_path)
    text, gradient, seed, want = gradients(function, args)
    np.testing.assert_allclose(gradient(*args, seed), want, rtol=1e-6)
    assert not is_plain or "\ndef _" not in text


@pytest.mark.parametrize("told", ["nothing", "example"])
@pytest.mark.parametrize("size", [4, 5, 7])
def test_another_length_is_right_or_raises(told, size, tmp_path):
    source, args, _ = PACKED["halves"]
    function = written(f"def f({source}\n", tmp_path)
    options = {"example": args} if told == "example" else {}
    _, gradient, _, _ = gradients(function, args, **options)
    x = R.normal(size=size)
    try:
        value = function(x, A)
    except ValueError:
        value = np.ones(3)
    with pytest.raises(ValueError):
        gradient(x, A, np.ones_like(value))
    for more in (A[:2, :2], R.normal(size=(4, 4))):  # of any length, if it fits
        x = R.normal(size=2 * len(more))
        seed = np.ones(len(more))
        want = numeric_gradient(lambda x: function(x, more), [x], 0, seed).value
        np.testing.assert_allclose(gradient(x, more, seed), want, rtol=1e-6)

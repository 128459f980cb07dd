"""Gates of a split by an example: the width of the product is so many times the state's.

The text holds both against each other: a state of one column would be stretched.
"""

import numpy as np
import pytest

import gradgen
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(46)


def real(*shape):
    return RNG.normal(size=shape)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, h, c, W, U, b):
    i, f, o, g = np.split(x @ W + h @ U + b, 4, axis=-1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return np.sum((sigmoid(o) * np.tanh(c)) ** 2)


def highway(x, W, y):
    gate, value = np.split(x @ W, 2, axis=1)
    return np.sum((sigmoid(gate) * y + (1 - sigmoid(gate)) * np.tanh(value)) ** 2)


def thirds(z, r):
    a, b, c = np.split(z, 3, axis=1)
    return np.sum(a * r) + np.sum(b * c * r)


CASES = [
    (
        lstm,
        ["c", "W", "b"],
        (real(3, 4), real(3, 2), real(3, 2), real(4, 8), real(2, 8), real(8)),
        [("c", real(3, 1))],
    ),
    (
        highway,
        ["W", "y"],
        (real(3, 4), real(4, 6), real(3, 3)),
        [("y", real(3, 1))],
    ),
    (thirds, ["z", "r"], (real(4, 6), real(4, 2)), [("r", real(4, 1))]),
]


@pytest.mark.parametrize("function, wrt, args, others", CASES)
def test_the_text_is_right_or_raises(function, wrt, args, others):
    text = gradgen.emit(function, wrt=wrt, example=args)
    assert "_unbroadcast" not in text and " --compare " in text
    names: dict = {}
    exec(text, names)
    gradient = names[f"grad_{function.__name__}"]
    is_right(function, gradient, wrt, args)
    own = function.__code__.co_varnames
    for name, other in others:
        given = [other if n == name else one for n, one in zip(own, args)]
        with pytest.raises(ValueError, match="expected"):
            gradient(*given)

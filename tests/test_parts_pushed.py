"""gradgen.hvp of parts of arguments, against complex steps."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError

RNG = np.random.default_rng(5)
W, B, X = RNG.normal(size=(2, 3)), RNG.normal(size=3), RNG.normal(size=(4, 2))
STEP = 1e-30


class Layer(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclass
class Net:
    W: np.ndarray
    b: np.ndarray


def of_dict(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]) ** 2)


def of_record(params: Layer, x):
    return np.sum(np.tanh(x @ params.W + params.b) ** 2)


def of_dataclass(params: Net, x):
    return np.sum(np.tanh(x @ params.W + params.b) ** 2)


def of_list(params, x):
    return np.sum(np.tanh(x @ params[0]["W"] + params[1]) ** 2)


FACTS = {"params.W": "n m", "params.b": "m", "x": "k n"}
LIST = {"params": [{"W": "n m"}, "m"], "x": "k n"}
# function, facts, how its first argument is made, the names of its parts
WAYS = [
    (of_dict, FACTS, lambda w, b: {"W": w, "b": b}, "params.W", "params.b"),
    (of_record, FACTS, Layer, "params.W", "params.b"),
    (of_dataclass, FACTS, Net, "params.W", "params.b"),
    (of_list, LIST, lambda w, b: [{"W": w}, b], "params[0].W", "params[-1]"),
]


def slope(w, b):
    """The gradient of all of them, by hand."""
    y = np.tanh(X @ w + b)
    d = 2 * y * (1 - y**2)
    return X.T @ d, np.sum(d, axis=0)


@pytest.mark.parametrize("f, facts, make, first, second", WAYS)
def test_hessians_of_parts(f, facts, make, first, second):
    v, c = RNG.normal(size=W.shape), RNG.normal(size=B.shape)
    both = slope(W + 1j * STEP * v, B + 1j * STEP * c)  # a complex step
    alone = slope(W, B + 1j * STEP * c)
    point = make(W, B)
    products = gradgen.hvp(f, (second, first), shapes=facts)(point, X, c, v)
    np.testing.assert_allclose(products[0], both[1].imag / STEP, rtol=1e-10)
    np.testing.assert_allclose(products[1], both[0].imag / STEP, rtol=1e-10)
    product = gradgen.hvp(f, second, shapes=facts)(point, X, c)
    np.testing.assert_allclose(product, alone[1].imag / STEP, rtol=1e-10)


def test_vectors_that_do_not_fit():
    product = gradgen.hvp(of_dict, "params.W", shapes=FACTS)
    params = {"W": W, "b": B}
    with pytest.raises(GradgenError, match=r"GG509 .*params.W has the shape \(3,\)"):
        product(params, X, B)
    with pytest.raises(GradgenError, match="GG509 .*a tangent for each of params.W"):
        product(params)

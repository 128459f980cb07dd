"""xp = get_array_module(x) is kept where the primal has it, and xp may be an argument."""

import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

ASKED = []


def get_array_module(*arrays):
    """As cupy's: the module of the arrays. Here it is NumPy, and told of."""
    ASKED.append(len(arrays))
    return np


def loss(yh, y):
    xp = get_array_module(yh)
    yh = yh + 1e-8
    norm = xp.linalg.norm(yh, axis=1, keepdims=True)
    return xp.abs(1 - (yh * y).sum(axis=1, keepdims=True) / norm).sum() * xp.pi


def scaled(x, c):
    xp = get_array_module(x, c)
    total = xp.zeros_like(x)
    for i in range(3):
        total += xp.sin(x * c) * i
    return unit(total)


def unit(v):
    mod = get_array_module(v)
    return v / mod.sqrt(mod.sum(v * v))


rng = np.random.default_rng(2)
ROWS = rng.normal(size=(2, 4, 3))
SHAPES = {"yh": "n d", "y": "n d"}


@pytest.mark.parametrize("shapes", [SHAPES, None])
@pytest.mark.parametrize("make", [gradgen.grad, gradgen.vjp])
def test_the_text_chooses_as_the_primal_does(make, shapes):
    made = make(loss, shapes=shapes)
    assert "    xp = get_array_module(yh)\n" in made.source
    assert "import get_array_module\n" in made.source
    assert "numpy" not in made.source.partition('"""')[0].replace("numpy(", "")
    ASKED.clear()
    found = made(*ROWS)
    found = found[1](1.0) if make is gradgen.vjp else found
    assert ASKED and set(ASKED) == {1}
    want = numeric_gradient(loss, ROWS, 0)
    np.testing.assert_allclose(found, want.value, rtol=1e-8)


def test_helpers_take_the_module():
    text = gradgen.emit(loss, general=True)
    assert "def _unbroadcast(xp, g, x):" in text
    assert "_unbroadcast(xp, " in text.partition("def grad_loss")[2]


def test_inlined_functions_share_the_module():
    shapes = {"x": "n", "c": "n"}
    made = gradgen.grad(scaled, ("x", "c"), shapes=shapes)
    assert made.source.count("get_array_module(x, c)") == 1
    x, c = rng.normal(size=(2, 4))
    seed = rng.normal(size=4)
    for i, found in enumerate(made(x, c, seed=seed)):
        want = numeric_gradient(scaled, (x, c), i, seed)
        np.testing.assert_allclose(found, want.value, rtol=1e-7, atol=1e-9)


def test_another_target_takes_its_own_module():
    text = gradgen.emit(loss, shapes=SHAPES, target="cupy")
    assert "import cupy as cp" in text and "cp.linalg.norm(yh, axis=1" in text
    assert "xp = " not in text


@pytest.mark.parametrize("style", ["joint", "callback"])
def test_a_module_that_is_an_argument(style):
    """The text asks the module for all it needs, and imports none."""
    asked = set()

    class Module(types.ModuleType):
        def __getattr__(self, name):
            asked.add(name)
            return getattr(np, name)

    text = gradgen.emit(loss, target="xp", style=style)
    assert "import" not in text.partition("def _unbroadcast")[0].partition("\n")[2]
    namespace = {}
    exec(text, namespace)
    if style == "joint":
        found = namespace["grad_loss"](*ROWS, xp=Module("xp"))
    else:
        _, backprop = namespace["vjp_loss"](*ROWS, xp=Module("xp"))
        found = backprop()
    want = numeric_gradient(loss, ROWS, 0)
    np.testing.assert_allclose(found, want.value, rtol=1e-8)
    assert {"linalg", "sign", "shape"} <= asked


def module_of_array(array):
    return get_array_module(array)


class Layer:
    scale = 2.0

    def forward(self, X):
        xp = get_array_module(X)
        return xp.sum(xp.tanh(self.scale * X))

    def first(self, rows):
        xp = get_array_module(rows[0])
        return xp.sum(xp.tanh(self.scale * rows))

    def inner(self, X):
        return self.forward(X) * 3.0

    @staticmethod
    def plain(X):
        xp = get_array_module(X)
        return xp.sum(xp.tanh(2.0 * X))


@pytest.mark.parametrize(
    "name, factor", zip(("forward", "first", "inner", "plain"), (1, 1, 3, 1))
)
def test_methods_choose_by_their_arrays_and_not_by_self(name, factor):
    X = ROWS[0]
    made = gradgen.grad(getattr(Layer(), name))
    want = 2.0 * factor * (1 - np.tanh(2.0 * X) ** 2)
    np.testing.assert_allclose(made(X), want, rtol=1e-12)
    assert "get_array_module(self)" not in made.source

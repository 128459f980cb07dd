"""Committed Jacobians and Hessians, and gradients of what is made of derivatives."""

import ast
from fractions import Fraction

import numpy as np
import pytest

import gradgen
from examples.chain import Accumulating, spread
from examples.cosine_similarity_of_derivatives import squared_cosines
from examples.losses import log_cosh_loss
from examples.networks import softmax_layer
from examples.recurrent import rnn_loss
from gradgen.printer.header import read_header, text_hash
from gradgen.verify.finite import directional, numeric_gradient
from tests.loop_examples import rnn
from tests.test_generated import FOLDER, MATRICES
from tests.test_modes import columns


def text(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def function(name: str):
    names: dict = {}
    exec(text(name), names)
    return [f for n, f in names.items() if callable(f) and not n.startswith("_")][-1]


@pytest.mark.parametrize("name", MATRICES)
def test_a_file_imports_numpy_alone_and_its_header_is_whole(name):
    body = ast.parse(text(name)).body
    imports = [
        ast.unparse(n) for n in body if isinstance(n, (ast.Import, ast.ImportFrom))
    ]
    assert imports == ["import numpy as np"]
    header = read_header(text(name))
    assert text_hash(header["body"].lstrip("\n")) == header["text"]


def test_the_jacobian_of_a_softmax_layer():
    rng = np.random.default_rng(2)
    args = rng.normal(size=3), rng.normal(size=(4, 3)), rng.normal(size=4)
    found = function("softmax_layer_jacobian")(*args)
    np.testing.assert_allclose(found, columns(softmax_layer, args, 0), rtol=1e-10)
    # The probabilities sum to 1 for every x.
    np.testing.assert_allclose(np.sum(found, axis=0), 0, atol=1e-15)


def test_the_hessian_of_a_loss():
    rng = np.random.default_rng(3)
    w, X, y = rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=5)
    found = function("log_cosh_loss_hessian")(w, X, y)
    # d^2 log(cosh(t)) / dt^2 is 1 / cosh(t)**2.
    want = X.T @ (X / np.cosh(X @ w - y)[:, None] ** 2)
    np.testing.assert_allclose(found, want, rtol=1e-12)
    gradient = columns(lambda w: X.T @ np.tanh(X @ w - y), (w,), 0)
    np.testing.assert_allclose(found, gradient, rtol=1e-9)
    assert np.isfinite(log_cosh_loss(w, X, y))


def test_the_hessian_of_a_recurrent_network_times_a_matrix():
    args = rnn(0, np.random.default_rng(0))
    v = np.random.default_rng(1).normal(size=args[1].shape)
    found = function("rnn_loss_hvp")(*args, v)

    def gradient(Wh):
        moved = [args[0], Wh, *args[2:]]
        return numeric_gradient(rnn_loss, moved, 1).value

    want = directional(gradient, (args[1],), (v,))
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)


def test_the_squared_cosines_of_derivatives_by_hand():
    """The dot products are 8 and 10, and the squared lengths 30, 3 and 25."""
    W = np.array([[1.0, 0.0], [0.0, 5.0], [1.0, 0.0], [1.0, 0.0]])
    b, v, z = np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 0.5])
    np.testing.assert_array_equal(v @ W, [8, 10])
    found = squared_cosines(W, b, v, z)
    np.testing.assert_allclose(found, [64 / 90, 100 / 750], rtol=1e-15)
    # 2 (v.w) v / (|v|^2 |w|^2) - 2 (v.w)^2 w / (|v|^2 |w|^4), in fractions
    first = [
        Fraction(2 * 8 * int(vi), 30 * 3) - Fraction(2 * 64 * int(wi), 30 * 9)
        for vi, wi in zip(v, W[:, 0])
    ]
    assert first == [Fraction(n, 135) for n in (-40, 48, 8, 32)]
    np.testing.assert_allclose(
        [float(one) for one in first], [-0.2963, 0.3556, 0.0593, 0.2370], atol=5e-5
    )
    found = function("squared_cosines")(W, b, v, z, np.array([1.0, 0.0]))
    np.testing.assert_allclose(found[:, 0], [float(one) for one in first], rtol=1e-14)
    np.testing.assert_array_equal(found[:, 1], np.zeros(4))


def test_a_layer_that_accumulates_parameter_gradients():
    """Two steps of it collect the sum of both gradients; the callback is called again."""
    rng = np.random.default_rng(5)
    params = {"W": rng.normal(size=(2, 3)), "b": rng.normal(size=2)}
    layer = Accumulating(gradgen.vjp(affine, ("x", "W", "b")), params)
    total = {name: np.zeros_like(value) for name, value in params.items()}
    for draw in range(2):
        x = rng.normal(size=3)
        Y, backprop = layer.forward(x)
        assert np.array_equal(Y, affine(x, **params))
        d_Y = numeric_gradient(spread, (Y,), 0).value
        d_x = backprop(d_Y)
        want = numeric_gradient(lambda x: spread(affine(x, **params)), (x,), 0)
        np.testing.assert_allclose(d_x, want.value, rtol=1e-8, atol=1e-10)
        for k, name in enumerate(("W", "b"), start=1):

            def loss(x, W, b):
                return spread(affine(x, W, b))

            args = (x, params["W"], params["b"])
            total[name] += numeric_gradient(loss, args, k).value
            np.testing.assert_allclose(layer.grads[name], total[name], rtol=1e-8)
    layer.step(0.1)
    assert not any(np.any(grad) for grad in layer.grads.values())


def affine(x, W, b):
    return np.tanh(W @ x + b)

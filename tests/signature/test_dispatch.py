"""Derivatives choose their text by the arguments of each call: nothing is told."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(7)
X, W = rng.normal(size=(5, 3)), rng.normal(size=(3, 4))
b, y, v = rng.normal(size=4), rng.normal(size=(5, 4)), rng.normal(size=3)


def trace(A):
    return np.trace(A @ A.T) + np.sum(np.diag(A))


def padded(x, n=2):
    return np.sum(np.pad(x, n) * np.arange(x.shape[0] + 2 * n))


def layer(X, W, b, kind="tanh", scale=0.5):
    h = X @ W + b
    if kind == "tanh":
        h = np.tanh(h)
    return scale * np.sum(h * h)


def repeated(x, w):
    return np.sum(np.tile(x, 3) * np.repeat(w, 3))


def tensors(A, B):
    return np.sum(np.tensordot(A, B, axes=1) ** 2) + np.sum(np.kron(A, B))


def solved(A, b):
    return np.sum(np.linalg.solve(A @ A.T + np.eye(len(A)), b) ** 2)


def crossed(a, b):
    return np.sum(np.cross(a, b) ** 2)


def slices(x, d):
    return np.sum((x[1:] - x[:-1]) ** 2 * d)


def ridge(w, X, y, alpha):
    r = X @ w - y
    return np.mean(r * r) + alpha * np.sum(w * w)


CASES = {
    "trace": (trace, (X,)),
    "pad": (padded, (b,)),
    "layer": (layer, (X, W, b)),
    "a string": (layer, (X, W, b, "linear")),
    "stretched": (layer, (X, W, b[:1])),
    "a row": (layer, (X[:1], W, b)),
    "a vector": (layer, (v, W, b)),
    "tile": (repeated, (v, v)),
    "tensordot": (tensors, (X, W)),
    "solve": (solved, (X[:3], v)),
    "cross": (crossed, (X, v)),
    "slices": (slices, (b, v)),
    "ridge": (ridge, (v, X, y[:, 0], 0.5)),
    "an integer": (ridge, (v, X, y[:, 0], 2)),
}


def check(function, args, wrt, got):
    want = numeric_gradient(function, list(args), wrt, 1.0)
    assert np.shape(got) == np.shape(args[wrt])
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_told(name):
    function, args = CASES[name]
    for wrt, arg in enumerate(args):
        if isinstance(arg, str):
            continue
        named = function.__code__.co_varnames[wrt]
        got = gradgen.grad(function, wrt=named)(*args)
        floats = tuple(float(a) if isinstance(a, int) else a for a in args)
        check(function, floats, wrt, got)
        if isinstance(arg, np.ndarray):
            assert got.dtype == arg.dtype
            single = [a.astype("f4") if isinstance(a, np.ndarray) else a for a in args]
            assert gradgen.grad(function, wrt=named)(*single).dtype == np.float32


def test_one_object_serves_all_signatures():
    g = gradgen.grad(layer, wrt=("W", "b"))
    calls = [(X, W, b), (X, W, b[:1]), (v, W, b), (X[:1], W, b), (X, W, 0.5), (X, W, b)]
    for args in calls:
        for i, got in zip((1, 2), g(*args)):
            check(layer, args, i, got)
    assert (
        "def _unbroadcast" not in g.source and "X (n, m), W (m, k), b (k)" in g.source
    )


def test_one_text_serves_all_lengths():
    g = gradgen.grad(layer, wrt="W")
    first = g.specialize(X, W, b)
    assert g.specialize(
        rng.normal(size=(7, 2)), rng.normal(size=(2, 9)), b[:1].repeat(9)
    )
    assert g(X[:, :2], W[:2, :3], b[:3]).shape == (2, 3)
    assert g.source == first.source and first.function.__name__ == "grad_layer"
    assert first.signature == {
        "X": "n m", "W": "m k", "b": "k", "scale": ""
    }  # fmt: skip


def test_lengths_that_do_not_fit_are_no_numbers():
    g = gradgen.grad(slices)
    g(b, v)
    with pytest.raises((ValueError, gradgen.GradgenError)):
        slices(b, b)
    with pytest.raises((ValueError, gradgen.GradgenError)):
        g(b, b)
    with pytest.raises((ValueError, gradgen.GradgenError)):
        gradgen.grad(ridge)(v, X, v, 0.5)


def either(x, y, both):
    if both:
        return np.sum(x * y)
    return np.sum(x * x) + np.sum(np.outer(x, y)) * 0.5


def test_what_an_arm_takes_for_equal_is_so_where_it_runs():
    g = gradgen.grad(either, wrt=("x", "y"))
    for args in [
        (v, v, True),
        (v, v, False),
        (v, b, False),
        (b, b, True),
        (v, b, False),
    ]:
        for i, got in zip((0, 1), g(*args)):
            check(either, args, i, got)


class Layer(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclass
class Model:
    layers: list
    scale: float


def through(model, x):
    for one in model.layers:
        x = np.tanh(x @ one.W + one.b)
    return model.scale * np.sum(x)


def test_containers_and_records_as_they_are_given():
    model = Model([Layer(W, b), Layer(rng.normal(size=(4, 2)), np.ones(2))], 0.5)
    got = gradgen.grad(through)(model, X)
    assert type(got) is Model and type(got.layers[1]) is Layer
    assert got.layers[1].W.shape == (4, 2) and np.ndim(got.scale) == 0
    assert np.isclose(got.scale, through(model, X) / 0.5)


def power(z):
    return z * z * np.conj(z)


def test_complex_arguments():
    z = X + 1j
    value, pullback = gradgen.vjp(power)(z)
    assert np.array_equal(value, power(z))
    assert np.iscomplexobj(pullback(np.ones_like(z)))
    assert gradgen.grad(lambda z: np.sum(np.abs(z) ** 2))(z).dtype == complex


def test_other_modes():
    point, direction = v, rng.normal(size=3)
    args = (point, X, y[:, 0], 0.5)
    value, along = gradgen.jvp(ridge)(*args, direction)
    gradient = gradgen.grad(ridge)(*args)
    assert value == ridge(*args) and np.isclose(along, gradient @ direction)
    hessian = gradgen.hessian(ridge)(*args)
    np.testing.assert_allclose(hessian, 2 * X.T @ X / 5 + np.eye(3), atol=1e-12)
    got = gradgen.hvp(ridge)(*args, direction)
    np.testing.assert_allclose(got, hessian @ direction)
    jacobian = gradgen.jacobian(lambda x, W: np.tanh(x @ W))(v, W)
    np.testing.assert_allclose(jacobian, (1 - np.tanh(v @ W) ** 2)[:, None] * W.T)


def test_derivatives_of_derivatives():
    cube = gradgen.grad(gradgen.grad(lambda x: x**3))
    assert cube(2.0) == 12.0 and cube(np.float64(3.0)) == 18.0


def test_the_general_text_before_any_call():
    g = gradgen.grad(ridge)
    assert "_unbroadcast" in g.source or "*s" in g.source
    g(v, X, y[:, 0], 0.5)
    assert "Shapes: w (n), X (m, n), y (m), alpha ()" in g.source
    assert g.__name__ == "grad_ridge"


def test_what_is_told_still_binds():
    g = gradgen.grad(ridge, shapes={"X": "n 3"})
    check(ridge, (v, X, y[:, 0], 0.5), 0, g(v, X, y[:, 0], 0.5))
    with pytest.raises(gradgen.GradgenError, match="GG503 the argument X"):
        g(v[:2], X[:, :2], y[:, 0], 0.5)


def test_an_example_is_a_signature():
    g = gradgen.grad(ridge, example=(v, X, y[:, 0], 0.5))
    assert "_unbroadcast" not in g.source
    check(ridge, (v[:2], X[:, :2], y[:, 1], 1.5), 0, g(v[:2], X[:, :2], y[:, 1], 1.5))


def same(one, other):
    return np.shape(one) == np.shape(other) and np.array_equal(one, other)


def test_hot_signatures_are_told_apart_by_the_call_itself():
    g = gradgen.grad(layer, wrt=("X", "W", "b", "scale"))
    kinds = [
        (X, W, b),
        (X, W, b[:1]),
        (v, W, b),
        (X[:1], W, b, "linear", 2.0),
        (X, W, 0.5),
        (X[:, :2], W[:2, :3], b[:3]),
        tuple(a.astype("f4") for a in (X, W, b)),
        (X, W, b, "tanh", 2),
        (X, W, b, "tanh", np.float64(2)),
    ]
    for args in kinds * 4:
        fresh = gradgen.grad(layer, wrt=("X", "W", "b", "scale"))
        for got, want in zip(g(*args), fresh(*args), strict=True):
            assert same(got, want) and np.asarray(got).dtype == np.asarray(want).dtype
    assert type(g).__call__.__name__ == "call"  # written for these signatures
    for _ in range(3):
        with pytest.raises((ValueError, gradgen.GradgenError)):
            g(X, W, v)
        with pytest.raises(gradgen.GradgenError):
            g(X, np.array([["a"]]), b)
        with pytest.raises(TypeError):
            g(X)
    assert same(g(X, W, b, seed=2.0)[1], 2 * g(X=X, W=W, b=b)[1])


def named(len, type, float, s0, d, slow, x_default, function_0=2.0):
    total = len * type + float * s0 + d * slow
    return np.sum(total * x_default * function_0)


def test_parameters_that_are_called_as_words_of_the_call():
    g = gradgen.grad(named, wrt=("len", "function_0"))
    for _ in range(4):
        first, last = g(v, v, v, v, v, v, v)
        assert same(first, 2 * v * v) and np.isclose(last, 3 * np.sum(v**3))


def cut(x, y, z):
    return np.sum(x[1:] * y) + np.sum(y * z)


def test_equations_of_several_arguments_are_all_tested():
    g = gradgen.grad(cut, wrt=("x", "y", "z"))
    for _ in range(3):
        assert [len(d) for d in g(b, v, v)] == [4, 3, 3]
    for args in [(b, v, v[:2]), (b, v[:2], v), (v, v, v), (b, b, v)]:
        with pytest.raises((ValueError, gradgen.GradgenError)):
            g(*args)


def unsupported(x):
    yield np.sum(x)


def test_looking_at_a_derivative_emits_nothing():
    g = gradgen.grad(unsupported)
    assert not hasattr(g, "_ipython_display_") and g.__wrapped__ is unsupported
    assert g.__name__ == "grad_unsupported" and "grad of unsupported" in repr(g)
    for look in (lambda: g.source, lambda: g.function, lambda: g(v)):
        with pytest.raises(gradgen.GradgenError, match="GG201"):
            look()


def matmul_unread(a, b, c):
    return np.sum(a.T @ c) + np.sum(b * a)


def product_unread(a, b, c):
    return np.sum(a * c) + np.sum(b * a)


def inner_unread(a, b, c):
    return np.inner(a, c) + np.sum(b * a)


def dot_unread(a, b, c):
    total = np.sum(b)
    return np.dot(c, a) * 2.0 + total


@pytest.mark.parametrize("warm", [0, 3])
@pytest.mark.parametrize("f", [matmul_unread, product_unread, inner_unread, dot_unread])
def test_lines_that_the_gradient_does_not_read_still_raise(f, warm):
    g = gradgen.grad(f, wrt="b")
    for _ in range(warm):
        assert g(v, v, v).shape == v.shape
    for args in [(v, v, v[:2]), (v[:2], v[:2], v), (np.ones(4), np.ones(4), v)]:
        with pytest.raises(ValueError):
            f(*args)
        with pytest.raises((ValueError, gradgen.GradgenError)):
            g(*args)


def smoothed(a, b, count):
    for _ in range(count):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a[1:-1] = 0.5 * (b[:-2] + b[2:])
    return np.sum(a * a)


def overwritten(a, b, count):
    a[0] = np.sum(b) * count
    return np.sum(a * b)


def swept(a, b, count):
    a *= b
    return np.sum(a) * count


@pytest.mark.parametrize("f", [smoothed, overwritten, swept])
def test_functions_that_change_their_arguments_are_called_at_once(f):
    g = gradgen.grad(f, wrt=("a", "b"))
    x, y = np.linspace(0.1, 0.9, 6), np.linspace(1.0, 2.0, 6)
    for _ in range(4):
        found = g(x, y, 2)
        for i, one in enumerate(found):
            want = numeric_gradient(f, (x, y, 2), i).value
            np.testing.assert_allclose(one, want, rtol=1e-7)
    assert type(g).__call__.__name__ == "call"
    assert x[0] == 0.1 and y[0] == 1.0
    long = np.linspace(0.1, 0.9, 12)
    for one, other in [(x, x), (long[:6], long[3:9]), (long[::2], long[:6])]:
        for _ in range(3):
            with pytest.raises(gradgen.GradgenError, match="GG507"):
                g(one, other, 2)
    for i, one in enumerate(g(long[:6], long[6:], 2)):
        want = numeric_gradient(f, (long[:6], long[6:], 2), i).value
        np.testing.assert_allclose(one, want, rtol=1e-7)

"""Options as arguments: a text for the value at hand, where none serves all values."""

import numpy as np
import pytest

import gradgen
from gradgen.shapes.statics import read_static, static_fact
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.arange(6.0).reshape(2, 3) / 3 + 1

FUNCTIONS = {
    "axis": ("np.sum(x ** 2, axis=k)", [0, 1, -1, None, (0, 1)]),
    "axes": ("np.mean(x * x, axis=k, keepdims=True)", [(0, 1), 0, (1,)]),
    "a flag": ("np.max(x, axis=1, keepdims=k)", [True, False]),
    "a mode": ("np.convolve(x[0], x[1], mode=k)", ["same", "full", "valid"]),
    "a shape": ("x.reshape(k) ** 2", [(3, 2), 6, (-1,), [1, 6]]),
    "a dtype": ("x.astype(k) * 2", [np.float64, np.dtype("f8"), "f8", float]),
    "an order": ("np.linalg.norm(x, k)", [None, "fro", 1, np.inf, -np.inf]),
    "a power": ("np.linalg.matrix_power(x @ x.T, k)", [2, 0, 3]),
    "subscripts": ("np.einsum(k, x, x)", ["ij,kj->ik", "ij,ij->i"]),
    "a width": ("np.pad(x[0], k) * 2", [(1, 1), 2, (0, 3)]),
    "a slice": ("x[0][k] * 2", [slice(0, 2), 1, slice(None, None, -1)]),
    "places": ("x[0][k] * 2", [[0, 1], [2, 2, 0]]),
    "an offset": ("np.diag(x @ x.T, k)", [0, 1, -1]),
    "axes turned": ("np.transpose(x, k) ** 2", [(1, 0), None, (0, 1)]),
    "a dict": ("x * k['lr'] ** k['n']", [{"lr": 0.1, "n": 2}, {"lr": 2.0, "n": 1}]),
    "weights": ("sum([w * x for w in k])", [[0.5, 1.5], (2.0,)]),
    "NumPy's": ("sum([x * i for i in range(k)]) + x ** k", [np.int64(3), np.int64(2)]),
    "differences": ("np.diff(x, n=k, axis=1)", [1, 2]),
}


def function_of(body, default=""):
    return imported(f"import numpy as np\ndef f(x, k{default}): return {body}\n", "f")


def check(function, gradient, k, *given):
    value = function(X, k)
    seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
    want = numeric_gradient(lambda x: function(x, k), [X], 0, seed).value
    got = gradient(X, *given, seed=seed)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
    assert got.dtype == X.dtype and got.shape == X.shape


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_value_has_its_text(name):
    body, values = FUNCTIONS[name]
    function = function_of(body)
    gradient = gradgen.grad(function)
    for k in [*values, values[0], *values]:
        check(function, gradient, k, k)


@pytest.mark.parametrize("name", ["axis", "a mode", "a dtype", "places", "NumPy's"])
def test_a_default(name):
    body, values = FUNCTIONS[name]
    shown = static_fact(values[0])
    function = function_of(body, shown)
    check(function, gradgen.grad(function), values[0])
    assert gradgen.grad(function).specialize(X).source


@pytest.mark.parametrize("maker", ["value_and_grad", "vjp", "jvp"])
def test_other_modes(maker):
    function = function_of("np.sum(x ** 2, axis=k)")
    made = getattr(gradgen, maker)(function)
    for axis in (0, 1, 0):
        seed = np.ones(3 - axis)
        if maker == "jvp":
            value, got = made(X, axis, np.ones_like(X))
            np.testing.assert_allclose(got, np.sum(2 * X, axis=axis))
        elif maker == "vjp":
            value, pullback = made(X, axis)
            np.testing.assert_allclose(pullback(seed), 2 * X)
        else:
            value, got = made(X, axis, seed=seed)
            np.testing.assert_allclose(got, 2 * X)
        np.testing.assert_array_equal(value, function(X, axis))


def test_told_values_bind():
    function = function_of("np.sum(x ** 2, axis=k)")
    gradient = gradgen.grad(function, shapes={"k": "=0"})
    np.testing.assert_allclose(gradient(X, 0, seed=np.ones(3)), 2 * X)
    with pytest.raises(gradgen.GradgenError, match="GG503 the argument k is 1"):
        gradient(X, 1, seed=np.ones(2))
    with pytest.raises(gradgen.GradgenError, match="GG402"):
        gradgen.emit(function, shapes={"k": "=open('x')"})


@pytest.mark.parametrize(
    "value",
    [0, True, None, "a'b", (0, -1), [1, (2,)], {"a": [0.5]}, slice(1, None), np.float32]
    + [int, np.int64(3), np.bool_(True), -np.inf, ..., (np.float32(0.5),), ("x",)],
)
def test_a_value_is_read_as_it_was(value):
    fact = static_fact(value)
    assert fact is not None and static_fact(read_static(fact)) == fact
    assert read_static(fact) == value and type(read_static(fact)) is type(value)


@pytest.mark.parametrize(
    "value", [0.5, 1j, np.ones(3), np.float64(2), object(), [0] * 99]
)
def test_data_is_no_option(value):
    assert static_fact(value) is None


@pytest.mark.parametrize(
    "body",
    [
        "np.sum(np.unstack(x)[0] * np.unstack(x)[1])",
        "np.unstack(x, axis=-1)[1] ** 2",
        "np.sin(np.unstack(x * x)[-1])",
    ],
)
@pytest.mark.skipif(not hasattr(np, "unstack"), reason="NumPy before 2.1")
def test_lengths_that_a_text_needs(body):
    function = imported(f"import numpy as np\ndef f(x): return {body}\n", "f")
    gradient = gradgen.grad(function)
    for shape in ((3, 2), (2, 2), (4, 3), (3, 2)):
        x = np.linspace(0.3, 1.2, shape[0] * shape[1]).reshape(shape)
        seed = np.ones(np.shape(function(x)))[()]
        want = numeric_gradient(function, [x], 0, seed).value
        np.testing.assert_allclose(gradient(x, seed=seed), want, rtol=1e-7, atol=1e-9)


def test_a_function_without_a_source_is_refused_once():
    space = {"np": np}
    exec("def loss(x, mode='sum'):\n    return getattr(np, mode)(x * x)", space)
    for call in (
        lambda: gradgen.grad(space["loss"])(np.ones(3), "mean"),
        lambda: gradgen.grad(space["loss"])(np.ones(3), mode="sum"),
        lambda: gradgen.value_and_grad(space["loss"])(np.ones(3)),
    ):
        with pytest.raises(gradgen.GradgenError, match="GG106"):
            call()

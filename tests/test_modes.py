"""Hessians times vectors, Jacobians and Hessians: their texts, and their numbers."""

import ast

import numpy as np
import pytest

import gradgen
from examples import losses, recurrent
from gradgen.verify.finite import directional, numeric_gradient

L2_NORM = '''import numpy as np


def hvp_L2_norm(X, v_X):
    """Hessian of L2_norm times v_X (forward over reverse).

    Shapes: X (*s), v_X (*s) -> v_d_X (*s)
    """
    # Forward
    XX = X * X
    v_XX = 2 * X * v_X
    XX_sum = np.sum(XX)
    v_XX_sum = np.sum(v_XX)
    XX_sqrt = np.sqrt(XX_sum)
    v_XX_sqrt = v_XX_sum / (2 * XX_sqrt)

    # Grad of: XX_sqrt = np.sqrt(XX_sum)
    d_XX_sum = 1 / (2 * XX_sqrt)
    v_d_XX_sum = -d_XX_sum * v_XX_sqrt / XX_sqrt
    # Grad of: XX_sum = np.sum(XX)
    # Grad of: XX = X * X
    v_d_X = 2 * v_d_XX_sum * X + 2 * d_XX_sum * v_X
    return v_d_X
'''
RNN = {"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"}
x = np.array([0.4, -0.7, 1.1])
A = np.array([[0.5, -1.2, 0.3], [0.8, 0.4, -0.6]])


def statements(text: str) -> int:
    """The statements of the last function, those inside loops and the return counted."""
    *_, function = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
    found = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    return len(found) - 2  # not the function itself, nor its docstring


def test_the_text_of_hvp_is_the_hand_written_one():
    text = gradgen.emit(losses.L2_norm, mode="hvp")
    assert text[text.index("import numpy") :] == L2_NORM
    assert "# Regenerate: gradgen emit examples.losses.L2_norm --mode hvp\n" in text


@pytest.mark.parametrize("facts", [None, {"X": "n", "Y": "n"}])
def test_hvp_of_the_cosine_loss_is_short(facts):
    text = gradgen.emit(losses.cosine_loss, mode="hvp", shapes=facts)
    assert statements(text) <= 18


def test_hvp_of_a_recurrent_network_is_short():
    wrt = ("Wx", "Wh", "b")
    text = gradgen.emit(recurrent.rnn_loss, wrt, mode="hvp", shapes=RNN)
    assert statements(text) <= 30


def columns(function, args, k: int) -> np.ndarray:
    """The Jacobian in one argument, measured column by column."""
    found = []
    for unit in np.eye(np.size(args[k])):
        tangents = [None] * len(args)
        tangents[k] = unit.reshape(np.shape(args[k])) if np.ndim(args[k]) else 1.0
        found.append(directional(function, args, tangents).value)
    shape = np.shape(function(*args)) + np.shape(args[k])
    return np.moveaxis(np.array(found), 0, -1).reshape(shape)


def layer(W, x, c):
    return np.tanh(W @ x + c) * c


def gram(W, c):
    return np.sin(W @ W.T) * c


def outer(x, c):
    return np.outer(np.cos(x), x) * c


def softmax(x):
    weights = np.exp(x - np.max(x))
    return weights / np.sum(weights)


def length(x, c):
    return np.sqrt(np.sum(x * x)) * c


def wave(c, x):
    return np.sin(c * x)


def looped(W, x, c):
    for _ in range(3):
        x = np.tanh(W.T @ (W @ x)) + c
    return x


# function, facts, arguments, and whether all rows have a form at once
JACOBIANS = {
    "vector in vector": (layer, "W=m n,x=n,c=", (A, x, 0.7), "x", True),
    "vector in matrix": (layer, "W=m n,x=n,c=", (A, x, 0.7), "W", True),
    "vector in number": (layer, "W=m n,x=n,c=", (A, x, 0.7), "c", True),
    "matrix in matrix": (gram, "W=m n,c=", (A, 0.7), "W", True),
    "matrix in number": (gram, "W=m n,c=", (A, 0.7), "c", True),
    "matrix in vector": (outer, "x=n,c=", (x, 0.7), "x", True),
    "number in vector": (length, "x=n,c=", (x, 0.7), "x", True),
    "number in number": (length, "x=n,c=", (x, 0.7), "c", True),
    "vector in the factor of all": (wave, "c=,x=n", (0.7, x), "c", True),
    "a softmax": (softmax, "x=n", (x,), "x", True),
    "a loop": (looped, "W=m n,x=n,c=", (A, x, 0.7), "x", False),
    "a loop, in a matrix": (looped, "W=m n,x=n,c=", (A, x, 0.7), "W", False),
    "a loop, in a number": (looped, "W=m n,x=n,c=", (A, x, 0.7), "c", True),
}


def facts_of(text: str) -> dict[str, str]:
    return dict(part.split("=") for part in text.split(","))


@pytest.mark.parametrize("name", JACOBIANS)
def test_jacobians(name):
    function, facts, args, wrt, at_once = JACOBIANS[name]
    k = list(facts_of(facts)).index(wrt)
    want = columns(function, args, k)
    for known in (facts_of(facts), None):
        made = gradgen.jacobian(function, wrt, shapes=known)
        if known:
            assert ("row by row" not in made.source) == at_once
        before = [np.copy(arg) for arg in args]
        found = made(*args)
        assert np.shape(found) == want.shape and np.asarray(found).dtype == np.float64
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-11)
        for arg, old in zip(args, before):
            assert np.array_equal(arg, old)


@pytest.mark.parametrize("name", JACOBIANS)
def test_both_directions_of_a_jacobian_agree(name):
    function, facts, args, wrt, at_once = JACOBIANS[name]
    facts = facts_of(facts)
    found = []
    for direction in ("reverse", "forward"):
        try:
            options = {"shapes": facts, "direction": direction}
            made = gradgen.jacobian(function, wrt, **options)
        except gradgen.GradgenError as refusal:
            assert direction == "forward" and not at_once, refusal
            return
        found.append(made(*args))
    np.testing.assert_allclose(*found, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", JACOBIANS)
def test_jacobians_in_float32(name):
    function, facts, args, wrt, _ = JACOBIANS[name]
    single = [
        np.float32(arg) if np.ndim(arg) == 0 else arg.astype("f4") for arg in args
    ]
    k = list(facts_of(facts)).index(wrt)
    for known in (facts_of(facts), None):
        found = gradgen.jacobian(function, wrt, shapes=known)(*single)
        want = columns(function, args, k)
        lifted = np.ndim(found) == 0 and np.__version__.startswith("1.")
        assert lifted or np.asarray(found).dtype == np.float32
        np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5)


def test_jacobians_in_several_arguments():
    for known in ({"W": "m n", "x": "n", "c": ""}, None):
        found = gradgen.jacobian(layer, ("W", "x", "c"), shapes=known)(A, x, 0.7)
        assert isinstance(found, tuple)
        for k, one in enumerate(found):
            want = columns(layer, (A, x, 0.7), k)
            assert np.shape(one) == want.shape
            np.testing.assert_allclose(one, want, rtol=1e-9, atol=1e-11)
        (alone,) = gradgen.jacobian(layer, ("x",), shapes=known)(A, x, 0.7)
        np.testing.assert_array_equal(alone, found[1])


def constant(x, y):
    return 2.0 * y


def test_the_jacobian_of_what_does_not_depend_on_the_argument_is_zero():
    for known in ({"x": "n", "y": "m"}, None):
        made = gradgen.jacobian(constant, shapes=known)
        np.testing.assert_array_equal(made(x, np.ones(2)), np.zeros((2, 3)))


def test_the_jacobian_of_nothing_is_empty():
    none = np.zeros(0)
    for known in ({"W": "m n", "x": "n", "c": ""}, None):
        assert gradgen.jacobian(layer, "x", shapes=known)(
            np.zeros((2, 0)), none, 1.0
        ).shape == (2, 0)
        assert gradgen.jacobian(looped, "x", shapes=known)(
            np.zeros((2, 0)), none, 1.0
        ).shape == (0, 0)


def quadratic(x, B, c):
    return 0.5 * x @ B @ x + c * np.sum(np.sin(x))


def energy(W, c):
    return np.sum(np.tanh(W @ W.T) ** 2) * c


def rolled(x, c):
    s = 0.3
    for i in range(len(x)):
        s = np.sin(s * x[i]) + c * x[i]
    return s * s


B = np.array([[1.0, 0.3, -0.2], [0.5, 2.0, 0.1], [0.0, -0.4, 1.5]])
HESSIANS = {
    "a vector": (quadratic, "x=n,B=n n,c=", (x, B, 0.7), True),
    "a matrix": (energy, "W=m n,c=", (A, 0.7), True),
    "a loop": (rolled, "x=n,c=", (x, 0.7), False),
}


@pytest.mark.parametrize("name", HESSIANS)
def test_hessians(name):
    function, facts, args, at_once = HESSIANS[name]
    for known in (facts_of(facts), None):
        gradient = gradgen.grad(function, shapes=known)
        want = columns(gradient, args, 0)
        made = gradgen.hessian(function, shapes=known)
        if known:
            assert ("row by row" not in made.source) == at_once
        found, size = made(*args), np.size(args[0])
        assert found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-10)
        flat = found.reshape(size, size)
        np.testing.assert_allclose(flat, flat.T, rtol=1e-8, atol=1e-10)
        times = gradgen.hvp(function, shapes=known)
        for unit, row in zip(np.eye(size), flat):
            product = times(*args, unit.reshape(args[0].shape))
            np.testing.assert_allclose(product.ravel(), row, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", HESSIANS)
def test_hessians_in_float32(name):
    function, facts, args, _ = HESSIANS[name]
    single = [
        np.float32(arg) if np.ndim(arg) == 0 else arg.astype("f4") for arg in args
    ]
    for known in (facts_of(facts), None):
        found = gradgen.hessian(function, shapes=known)(*single)
        product = gradgen.hvp(function, shapes=known)(*single, single[0])
        assert found.dtype == product.dtype == np.float32
        want = gradgen.hessian(function, shapes=known)(*args)
        np.testing.assert_allclose(found, want, rtol=1e-3, atol=1e-4)


def test_the_hessian_of_a_linear_function_is_zero():
    for known in ({"x": "n"}, None):
        made = gradgen.hessian(lambda x: np.sum(2 * x), shapes=known)
        np.testing.assert_array_equal(made(x), np.zeros((3, 3)))


def one_by_one(x, one, units, *, rows=2.0, seeds=1.0):
    for _ in range(2):
        x = x * x * one + units * rows
    return np.sum(x) * seeds


def step(x, y, backprop, *, seed=2.0):
    for _ in range(2):
        y = np.sin(x * y) * backprop
    return y * seed


def test_arguments_with_the_names_that_rows_use():
    args, named = (x, 1.5, 0.3), {"rows": 0.7, "seeds": 1.3}

    def primal(*a):
        return one_by_one(*a, **named)

    want = columns(lambda *a: numeric_gradient(primal, a, 0).value, args, 0)
    found = gradgen.hessian(one_by_one)(*args, **named)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7)
    found = gradgen.jacobian(step)(x, x + 1, 1.5, seed=1.2)
    want = columns(lambda *a: step(*a, seed=1.2), (x, x + 1, 1.5), 0)
    np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-11)
    _, pullback = gradgen.vjp(step)(x, x + 1, 1.5)
    want = numeric_gradient(step, (x, x + 1, 1.5), 0, x)
    np.testing.assert_allclose(pullback(x), want.value, rtol=1e-9, atol=1e-11)


def test_lambdas_and_closures():
    held = np.array([2.0, -1.0, 0.5])
    found = gradgen.hessian(lambda x: np.sum(held * x**3))(x)
    np.testing.assert_allclose(found, np.diag(6 * held * x), rtol=1e-12)
    found = gradgen.jacobian(lambda x: A @ (held * x), shapes={"x": "3"})(x)
    np.testing.assert_allclose(found, A * held, rtol=1e-12)
    times = gradgen.hvp(lambda x: np.sum(held * x**3))
    np.testing.assert_allclose(times(x, held), 6 * held**2 * x, rtol=1e-12)
    held = 2 * held  # another array in the same closure is another function
    found = gradgen.hessian(lambda x: np.sum(held * x**3))(x)
    np.testing.assert_allclose(found, np.diag(6 * held * x), rtol=1e-12)


def several(x):
    return x, 2 * x


def boxed(params, x):
    return params["W"] @ x


BOX = {"params": {"W": "m n"}, "x": "n"}
REFUSALS = {
    "the Jacobian of two results": (
        lambda: gradgen.jacobian(several).source,
        "GG024.* 2 results.*\n.*one of them",
    ),
    "the Hessian of two results": (
        lambda: gradgen.hvp(several).source,
        "GG024.* 2 results.*\n.*np.sum",
    ),
    "the Hessian of an array": (
        lambda: gradgen.hessian(softmax, shapes={"x": "n"}),
        "GG024.* 1 axes.*\n.*np.sum",
    ),
    "a Hessian times a vector, of an array": (
        lambda: gradgen.hvp(gram, shapes={"W": "m n", "c": ""}),
        "GG024.* 2 axes.*\n.*np.sum",
    ),
    "a Hessian in two arguments": (
        lambda: gradgen.emit(quadratic, ("x", "B"), mode="hessian"),
        "GG024.*one argument",
    ),
    "the Jacobian in a container": (
        lambda: gradgen.jacobian(boxed, shapes=BOX),
        r"test_modes.py:\d+:1: GG117(.|\n)*its parts as arguments",
    ),
    "integers, jacobian": (lambda: gradgen.jacobian(softmax)(np.arange(3)), "GG502"),
    "integers, hessian": (
        lambda: gradgen.hessian(rolled)(np.arange(3), 0.5),
        "GG502.*\n.*astype",
    ),
    "integers, hvp": (lambda: gradgen.hvp(rolled)(np.arange(3), 0.5, x), "GG502"),
    "integers, jvp": (lambda: gradgen.jvp(softmax)(np.arange(3), x), "GG502"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name):
    make, words = REFUSALS[name]
    with pytest.raises(gradgen.GradgenError, match=words):
        make()


def test_python_integers_count_as_floats():
    assert gradgen.jacobian(lambda a: a * a)(3) == 6
    assert gradgen.hvp(lambda a: a**3)(2, 0.5) == 6.0
    assert gradgen.jvp(lambda a: a**3)(2, 0.5) == (8, 6.0)


ENTRYWISE = {
    "constant": (lambda x: 3 * x, lambda x: 3 + 0 * x),
    "itself": (lambda x: x, lambda x: 1 + 0 * x),
    "times ones": (lambda x: 3 * x * np.ones_like(x), lambda x: 3 + 0 * x),
    "times twos": (lambda x: np.full_like(x, 2.0) * x, lambda x: 2 + 0 * x),
    "times zero": (lambda x: 0 * x, lambda x: 0 * x),
    "shifted": (lambda x: x + 2, lambda x: 1 + 0 * x),
    "curved": (lambda x: x * np.sin(x), lambda x: np.sin(x) + x * np.cos(x)),
}


@pytest.mark.parametrize("known", [{"x": "n"}, {"x": "3"}, None])
@pytest.mark.parametrize("name", ENTRYWISE)
def test_jacobians_that_are_diagonal(name, known):
    function, slope = ENTRYWISE[name]
    found = gradgen.jacobian(function, shapes=known)(x)
    np.testing.assert_allclose(found, np.diag(slope(x)), rtol=1e-12, atol=1e-15)
    if known:
        found = gradgen.jacobian(function, shapes=known, diagonal=True)(x)
        np.testing.assert_allclose(found, slope(x), rtol=1e-12)


def test_one_argument_in_a_tuple_gives_a_tuple():
    def inside(x):
        (product,) = gradgen.hvp(lambda y: np.sum(y**3), ("y",))(x, x)
        return np.sum(product)

    (product,) = gradgen.hvp(lambda y: np.sum(y**3), ("y",))(x, x)
    np.testing.assert_allclose(product, 6 * x * x, rtol=1e-12)
    np.testing.assert_allclose(gradgen.grad(inside)(x), 12 * x, rtol=1e-12)

"""The two conventions for arguments that nothing tells of, and what holds them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def ridge_loss(w, X, y, ridge):
    r = X @ w - y
    return np.mean(r * r) + ridge * np.sum(w * w)


def carried(w, x, lam):
    total = 0.0
    for i in range(3):
        total = total + np.sum(w * x**i) - lam / 2
    return total


def smoothed(x, y, eps):
    norms = np.sqrt(np.sum(x * x)) * np.sqrt(np.sum(y * y)) + eps
    return 1 - np.sum(x * y) / norms


def negative(w, x, b, c):
    return -(np.sum(w * x) + b) * 2 + c**2 / 3


def dotted(w, x, lam):
    return np.sum(np.abs(x)) + lam * (w @ w)


def layers(x, W1, W2):
    return np.sum(np.tanh(x @ W1) @ W2)


def product(A, B):
    return np.sum(np.sin(A @ B))


def forced(X, w):
    n, d = X.shape
    return np.sum(X @ w) / n + d


NUMBERS = [
    (ridge_loss, {"ridge"}),
    (carried, {"lam"}),
    (smoothed, {"eps"}),
    (negative, {"b", "c"}),
    (dotted, {"lam"}),
]


def assumed(function, **options):
    """What the docstring of the emitted text says is assumed, and the text."""
    text = gradgen.emit(function, **options)
    line = next((s for s in text.split("\n") if "Assumed: " in s), "")
    return line.strip(), text


def run(text, *args):
    names = {}
    exec(text, names)
    return next(v for k, v in names.items() if k.startswith("grad_"))(*args)


@pytest.mark.parametrize("function, numbers", NUMBERS)
def test_what_is_added_to_a_reduction_is_a_number(function, numbers):
    told, text = assumed(function)
    assert {n for n in numbers if f"{n} is a number" in told} == numbers
    assert all(f"{name} ()" in text for name in numbers)
    assert "Assumed" not in gradgen.emit(function, general=True)


@pytest.mark.parametrize(
    "function, wrt",
    [
        (lambda x, ref: x - np.mean(ref), "x"),
        (lambda x: (x - np.mean(x)) / np.std(x), "x"),
        (lambda x, y: x * np.exp(-y), "x"),
        (lambda z: np.exp(z - np.max(z)) / np.sum(np.exp(z - np.max(z))), "z"),
        (lambda x, y: 1 + x + 2 * y, "y"),
        (lambda x, s: x / np.sqrt(np.sum(s * s)), "s"),
    ],
)
def test_what_is_elementwise_is_not_taken_for_numbers(function, wrt):
    assert "a number" not in assumed(function, wrt=wrt)[0]


def described(w, x, b):
    """A loss.

    Parameters
    ----------
    b : ndarray
    """
    return np.sum(w * x) + b


def annotated(w, x, b: "np.ndarray | float"):
    return np.sum(w * x) + b


@pytest.mark.parametrize("function", [described, annotated])
def test_what_is_described_as_an_array_is_no_number(function):
    assert assumed(function)[0] == "Assumed: x has the shape of w."


@pytest.mark.parametrize(
    "function, matrices, without",
    [
        (ridge_loss, {"X"}, "_matmul"),
        (layers, {"W1", "W2"}, "_matmul_left"),
        (product, {"A"}, "_matmul_right"),
    ],
)
def test_products_have_no_batch_axes(function, matrices, without):
    wrt = {"ridge_loss": "w", "layers": "x", "product": "B"}[function.__name__]
    told, text = assumed(function, wrt=wrt)
    assert {n for n in matrices if f"{n} is a matrix" in told} == matrices
    assert without not in text
    assert without in gradgen.emit(function, wrt=wrt, general=True)


@pytest.mark.parametrize("shape", [(4,), (4, 3)], ids=["vector", "matrix"])
def test_a_product_is_right_for_vectors_and_matrices(shape):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(5, 4)), rng.normal(size=shape)
    want = numeric_gradient(product, (A, B), 1).value
    got = run(assumed(product, wrt="B")[1], A, B)
    assert got.shape == shape
    np.testing.assert_allclose(got, want, rtol=1e-7)


@pytest.mark.parametrize("shape", [(4,), (2, 4), (3, 2, 4)])
def test_a_matrix_on_the_right_takes_stacks_on_the_left(shape):
    rng = np.random.default_rng(1)
    args = rng.normal(size=shape), rng.normal(size=(4, 3)), rng.normal(size=(3, 2))
    want = numeric_gradient(layers, args, 0).value
    np.testing.assert_allclose(run(assumed(layers)[1], *args), want, rtol=1e-7)


@pytest.mark.parametrize(
    "function",
    [
        lambda A, B: np.sum(np.swapaxes(A, -1, -2) @ B),
        lambda A, B: np.sum((A @ B)[..., 0]),
        lambda A, B: np.sum(A @ B, axis=2),
    ],
)
def test_a_third_axis_keeps_stacks(function):
    assert "matrix" not in assumed(function)[0]


def test_a_part_of_a_stack_is_multiplied_with_a_matrix():
    def f(A, B):
        return np.sum(A[:, 0, :] @ B) + np.sum(A[:, :, 1])

    assert "A is an array of 3 axes, B is a matrix" in assumed(f)[0]


WRONG = [
    (ridge_loss, ((3,), (5, 3), (5,), (3,)), "ridge for a number"),
    (ridge_loss, ((3,), (3,), (), ()), "X for .n, d.,"),
    (ridge_loss, ((3,), (3, 3, 3), (3, 3), ()), "X for .n, d.,"),
    (carried, ((3,), (3,), (3,)), "lam (is taken )?for a number"),
    (product, ((4, 4, 4), (4, 4)), "A is taken for a matrix"),
    (forced, ((3, 3, 3), (3,)), "X is taken for a matrix"),
]


@pytest.mark.parametrize("function, shapes, message", WRONG)
def test_a_text_raises_where_an_assumption_does_not_hold(function, shapes, message):
    rng = np.random.default_rng(2)
    args = [rng.normal(size=shape) if shape else 0.5 for shape in shapes]
    with pytest.raises(ValueError, match=message):
        run(assumed(function)[1], *args)


@pytest.mark.parametrize("function, shapes, message", WRONG[:5])
def test_a_general_text_is_right_there(function, shapes, message):
    rng = np.random.default_rng(3)
    args = [rng.normal(size=shape) if shape else 0.5 for shape in shapes]
    seed = np.ones(np.shape(function(*args)))
    got = run(gradgen.emit(function, general=True), *args, seed)
    want = numeric_gradient(function, args, 0).value
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("function, shapes, message", WRONG[:5])
def test_calls_in_python_assume_nothing(function, shapes, message):
    rng = np.random.default_rng(4)
    args = [rng.normal(size=shape) if shape else 0.5 for shape in shapes]
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(gradgen.grad(function)(*args), want, rtol=1e-6)
    assert "Assumed" not in gradgen.grad(function).source


def test_general_is_in_the_header_where_it_matters():
    def line(text):
        return next(s for s in text.split("\n") if s.startswith("# Regenerate"))

    assert line(gradgen.emit(ridge_loss, general=True)).endswith("--general")
    told = {"w": "d", "X": "n d", "y": "n", "ridge": ""}
    texts = [gradgen.emit(ridge_loss, shapes=told, general=g) for g in (True, False)]
    assert texts[0] == texts[1] and "--general" not in texts[0]


def test_what_is_told_is_not_assumed():
    told, text = assumed(ridge_loss, shapes={"ridge": "", "w": "d"})
    assert told == "Assumed: X is a matrix, y is a vector."
    assert "np.ndim(ridge)" not in text and "np.ndim(w)" not in text


def test_the_axes_of_what_is_assumed_may_be_stretched():
    """Z is a matrix by Z @ w, and is added to X @ W: a text for one row is general."""

    def added(Z, X, W, w):
        return np.sum(np.tanh(X @ W + Z)) + np.sum(Z @ w)

    rng = np.random.default_rng(5)
    args = [rng.normal(size=s) for s in ((1, 3), (4, 2), (2, 3), (3,))]
    want = numeric_gradient(added, args, 0).value
    text = gradgen.emit(added, general=True)
    np.testing.assert_allclose(run(text, *args), want, rtol=1e-7)
    with pytest.raises(ValueError, match="Z is taken for .n, d., X for .n, k."):
        run(assumed(added)[1], *args)

"""gradgen.stop_gradient, the diagonal and the direction of a Jacobian, and bad seeds."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.refusals import refusal

x = np.array([0.3, 1.2, 2.0])
a = np.array([1.0, 2.0, 3.0])


def held(x, w):
    c = gradgen.stop_gradient(x * w)
    y = gradgen.stop_gradient(x)
    y = y + 1
    return np.sum(c * x * y) + gradgen.stop_gradient(np.sum(x)) * w[0]


def held_inside(x):
    def phi(t):
        return np.sum(t * gradgen.stop_gradient(t))

    return np.sum(gradgen.grad(phi)(x) * x)


def entries(x, a):
    return np.sin(x) * a + x**2


def mixed(x, W):
    return np.tanh(W @ x)


def test_no_derivative_goes_through_what_is_held():
    shapes = {"x": "n", "w": "n"}
    assert np.allclose(gradgen.grad(held, shapes=shapes)(x, a), x * a * (x + 1))
    value, along = gradgen.jvp(held, shapes=shapes)(x, a, np.ones(3))
    assert value == held(x, a)
    assert np.isclose(along, np.sum(x * a * (x + 1)))
    both = gradgen.grad(held, wrt=("x", "w"), shapes=shapes)(x, a)
    assert np.allclose(both[1], [np.sum(x), 0, 0])
    # phi's gradient is its second factor, held constant there and here
    assert np.allclose(gradgen.grad(held_inside, shapes={"x": "n"})(x), x)


def test_what_is_held_is_the_value_itself():
    assert gradgen.stop_gradient(x) is x
    assert (
        "stop_gradient(" not in gradgen.emit(held).split('"""')[-1].split("# Grad")[0]
    )


def test_the_diagonal_of_a_function_of_entries():
    shapes = {"x": "n", "a": "n"}
    want = np.cos(x) * a + 2 * x
    diagonal = gradgen.jacobian(entries, shapes=shapes, diagonal=True)
    assert diagonal(x, a).shape == (3,) and np.allclose(diagonal(x, a), want)
    assert "np.eye" not in diagonal.source
    whole = gradgen.jacobian(entries, shapes=shapes)
    assert np.allclose(whole(x, a), np.diag(want)) and "np.diag" in whole.source
    table = gradgen.jacobian(entries, shapes={"x": "n m", "a": "n m"}, diagonal=True)
    X = np.outer(x, a)
    assert np.allclose(table(X, X + 1), np.cos(X) * (X + 1) + 2 * X)
    narrow = diagonal(x.astype("f"), a.astype("f"))
    assert narrow.dtype == np.float32


def test_a_jacobian_by_rows_and_by_columns():
    shapes = {"x": "n", "W": "m n"}
    W = np.arange(6.0).reshape(2, 3) / 7
    want = (1 - np.tanh(W @ x) ** 2)[:, None] * W
    for direction in ("", "reverse", "forward"):
        J = gradgen.jacobian(mixed, shapes=shapes, direction=direction)
        assert np.allclose(J(x, W), want, rtol=1e-13), direction
        found = J(x.astype("f"), W.astype("f"))
        assert found.dtype == np.float32 and found.shape == (2, 3)


@pytest.mark.parametrize(
    "options, code",
    [
        (dict(mode="jacobian", diagonal=True, shapes={"x": "n", "W": "n n"}), "GG264"),
        (dict(mode="jacobian", direction="sideways"), "GG009"),
        (dict(mode="reverse", diagonal=True), "GG009"),
        (dict(mode="jacobian", direction="forward"), "GG263"),
    ],
)
def test_what_is_refused(options, code):
    error = refusal(mixed, **options)
    assert error.code == code and error.advice


def test_seeds_and_tangents_of_another_shape():
    shapes = {"x": "n", "W": "m n"}
    W = np.ones((2, 3))
    g = gradgen.grad(mixed, shapes=shapes)
    with pytest.raises(GradgenError, match=r"GG508 .*\(3,\).*\(2,\)"):
        g(x, W, seed=np.ones(3))
    pullback = gradgen.vjp(mixed, shapes=shapes)(x, W)[1]
    with pytest.raises(GradgenError, match="GG508"):
        pullback(np.ones((2, 1)))
    along = gradgen.jvp(mixed, shapes=shapes)
    with pytest.raises(GradgenError, match=r"GG509 .*\(2,\).*\(3,\)"):
        along(x, W, np.ones(2))
    with pytest.raises(GradgenError, match="GG509 .*complex"):
        along(x, W, x + 1j)
    with pytest.raises(GradgenError, match="GG509 .*takes a tangent"):
        along(x)
    with pytest.raises(GradgenError, match="GG509 .*structure"):
        parts = gradgen.jvp(lambda p: p[0] * p[1], shapes={"p": ("n", "n")})
        parts((x, x), (x,))

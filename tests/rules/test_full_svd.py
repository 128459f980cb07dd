"""np.linalg.svd with its default, full_matrices=True: of squares, of one row more or
less, of stacks; columns without singular values are refused where they are several."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def kabsch(p, q):
    """The root mean square distance of two sets of points, turned onto each other."""
    p, q = p - p.mean(axis=0), q - q.mean(axis=0)
    u, _, vt = np.linalg.svd(p.T @ q)
    d = np.sign(np.linalg.det(vt.T @ u.T))
    turn = vt.T @ np.diag([1, 1, d]) @ u.T
    return np.sqrt(np.mean(np.sum((p @ turn.T - q) ** 2, axis=1)))


def of_all(p, q):
    u, s, vt = np.linalg.svd(p.T @ q)
    return np.sum((u * s) @ vt @ np.abs(vt)) + np.sum(u[:, :1] @ vt[:1])


def kernel(p, q):
    """Of the row that A @ x = 0 leaves, as in a plane through points."""
    vt = np.linalg.svd(p[:2])[2]
    return np.sum(vt[-1] ** 4 * q[0])


def left_kernel(p, q):
    u, s, vt = np.linalg.svd(p[:4])
    return np.sum(u[:, -1] ** 4) + np.sum(u[:, :2] @ np.diag(s[:2])) ** 2


def first_columns(p, q):
    u = np.linalg.svd(p)[0]
    return np.sum(np.abs(u[:, :3]) * q)


def rows_alone(p, q):
    vt = np.linalg.svd(p @ q.T[:, :3])[2]
    return np.sum(vt[:2] ** 4)


def stacks(p, q):
    u, s, vt = np.linalg.svd(np.stack([p[:3], q[:3] * 2, p[3:] - q[3:]]))
    return np.sum(u[..., 0] ** 4) + np.sum((u * s[..., None, :]) @ vt**3)


PROGRAMS = [kabsch, of_all, kernel, left_kernel, first_columns, rows_alone, stacks]
POINT = (
    np.array(
        [[0.9, -0.4, 0.3], [-0.2, 1.3, 0.5], [0.7, 0.1, -1.1]]
        + [[0.4, -0.8, 0.2], [-1.2, 0.3, 0.6], [0.15, 0.75, -0.35]]
    ),
    np.array(
        [[1.1, 0.2, -0.4], [0.1, 0.8, 0.3], [-0.5, 0.2, 1.4]]
        + [[-0.3, 0.9, 0.1], [0.4, -0.6, 0.7], [0.25, -0.15, 0.45]]
    ),
)


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_call_and_a_text_have_the_derivative(f):
    space: dict = {}
    exec(gradgen.emit(f, wrt=("p", "q")), space)
    found = gradgen.grad(f, wrt=("p", "q"))(*POINT), space[f"grad_{f.__name__}"](*POINT)
    for i in range(2):
        want = numeric_gradient(f, POINT, i).value
        for gradients in found:
            np.testing.assert_allclose(gradients[i], want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", PROGRAMS)
def test_the_tangent_is_the_gradients(f):
    rng = np.random.default_rng(4)
    moved = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    _, change = gradgen.jvp(f, wrt=("p", "q"))(*POINT, *moved)
    gradients = gradgen.grad(f, wrt=("p", "q"))(*POINT)
    want = sum(np.sum(g * m) for g, m in zip(gradients, moved))
    np.testing.assert_allclose(change, want, rtol=1e-9)


def test_a_square_that_is_known_needs_no_helper():
    text = gradgen.emit(kabsch, wrt=("p", "q"), shapes={"p": "n 3", "q": "n 3"})
    assert "_from_left_factor" not in text
    space: dict = {}
    exec(text, space)
    for i, g in enumerate(space["grad_kabsch"](*POINT)):
        want = numeric_gradient(kabsch, POINT, i).value
        np.testing.assert_allclose(g, want, rtol=1e-6, atol=1e-8)


def test_several_columns_without_values_are_refused():
    def f(p):
        u, s, _ = np.linalg.svd(p)
        return np.sum(u[:, -1] ** 4) + s[0]

    with pytest.raises(gradgen.GradgenError, match="GG302.*several columns"):
        gradgen.grad(f)(POINT[0])
    space: dict = {}
    exec(gradgen.emit(f), space)
    with pytest.raises(ValueError, match="several columns"):
        space["grad_f"](POINT[0])


def test_a_tangent_of_such_columns_is_no_number():
    def f(p):
        return np.linalg.svd(p)[0]

    _, change = gradgen.jvp(f)(POINT[0], np.ones((6, 3)))
    assert np.all(np.isnan(change[:, 3:])) and np.all(np.isfinite(change[:, :3]))


def turned(p, q):
    """The rotation of points in a plane of space: of the square, one value is zero."""
    u, _, vt = np.linalg.svd((p - p.mean(0)).T @ (q - q.mean(0)))
    if np.linalg.det(u @ vt) < 0:
        u[:, -1] *= -1
    return np.sum(u @ vt * q[:3])


def signless(p, q):
    u, _, vt = np.linalg.svd(p.T @ q, full_matrices=False)
    s = np.eye(3)
    s[2, 2] = np.linalg.det(u) * np.linalg.det(vt)
    return np.sum((u @ s @ vt) ** 3 * q[:3])


def in_the_plane(p, q):
    u, _, vt = np.linalg.svd(np.outer(p[0, :2], p[1, :2]))
    return (
        np.sum(u[:, 0] ** 4) + np.sum(u[:, 1] ** 3 * np.sign(u[:, 1])) + vt[0, 0] ** 2
    )


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("f", [turned, signless, in_the_plane])
def test_zeros_among_the_values_of_a_square(f, mode):
    p, q = POINT
    p = p * np.array([1.0, 1.0, 0.0])  # in a plane
    p, q = p + np.array([0.0, 0.0, 2.0]) * (f is turned), q
    want = numeric_gradient(f, (p, q), 0).value
    if f is in_the_plane:
        want = want * np.array([1.0, 1.0, 0.0])
    if mode == "reverse":
        got = gradgen.grad(f)(p, q)
    else:
        step = np.eye(p.size).reshape(-1, *p.shape)
        along = [gradgen.jvp(f)(p, q, one)[1] for one in step]
        got = np.reshape(along, p.shape)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)

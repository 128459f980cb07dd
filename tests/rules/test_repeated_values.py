"""Equal singular values and eigenvalues: right, or not finite, but never another number.

What tells two of them apart is rounding, as of Q @ diag(2, 2, 1) @ Q.T.
"""

import numpy as np
import pytest
import scipy.linalg

import gradgen
from gradgen.verify.finite import numeric_gradient

W = np.random.default_rng(7).normal(size=(6, 6))


def polar(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return np.sum(u @ vt * W[: a.shape[0], : a.shape[1]])


def rotation(a):
    u, s, vt = np.linalg.svd(a)
    d = np.sign(np.linalg.det(u @ vt))
    return np.sum(u @ np.diag([1.0, 1.0, d]) @ vt * W[:3, :3])


def left(a):
    u = np.linalg.svd(a, full_matrices=False)[0][:, :2]
    return np.sum(u @ u.T * W[: a.shape[0], : a.shape[0]])


def left_of_all(a):
    u = np.linalg.svd(a)[0][:, :2]
    return np.sum(u @ u.T * W[: a.shape[0], : a.shape[0]])


def right(a):
    v = np.linalg.svd(a, full_matrices=False)[2][:2]
    return np.sum(v.T @ v * W[: a.shape[1], : a.shape[1]])


def density(a):
    c = np.linalg.eigh(a @ a.T)[1][:, -2:]
    return np.sum(c @ c.T * W[: a.shape[0], : a.shape[0]])


def density_of_scipy(a):
    c = scipy.linalg.eigh(a @ a.T)[1][:, -2:]
    return np.sum(c @ c.T * W[: a.shape[0], : a.shape[0]])


def stacks(a):
    u, s, vt = np.linalg.svd(np.stack([a, 2 * a]), full_matrices=False)
    return np.sum(u @ vt * W[: a.shape[0], : a.shape[1]])


def roots(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return np.sum((u * np.sqrt(s)) @ vt * W[: a.shape[0], : a.shape[1]])


def whitened(a):
    w, v = np.linalg.eigh(a @ a.T + np.eye(a.shape[0]))
    return np.sum((v / np.sqrt(w)) @ v.T * W[: a.shape[0], : a.shape[0]])


def beside_values(a):
    w, v = np.linalg.eigh(a @ a.T)
    c = v[:, -1:]
    return np.sum(c @ c.T * W[: a.shape[0], : a.shape[0]]) + w[-1]


def of_any_matrix(a):
    w, v = np.linalg.eig(a @ a.T + np.eye(a.shape[0]))
    return np.sum((v / np.sqrt(w)) @ np.linalg.inv(v) * W[: a.shape[0], : a.shape[0]])


def of_values(*values, shape=(3, 3), turned=True):
    rng = np.random.default_rng(3)
    whole = np.zeros(shape)
    whole[range(3), range(3)] = values
    if not turned:
        return whole
    left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for n in shape)
    return left @ whole @ right.T


EQUAL = [(2, 2, 1), (2, 2 * (1 + 1e-15), 1), (2, 2 * (1 + 1e-13), 1), (2, 2 + 1e-6, 1)]
SPACES = [polar, rotation, left, left_of_all, right, density, density_of_scipy, stacks]


def close(found, wanted):
    return np.allclose(found, wanted, rtol=1e-4, atol=1e-4 * np.max(np.abs(wanted)))


@pytest.mark.parametrize("values", EQUAL)
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("f", SPACES, ids=lambda f: f.__name__)
def test_functions_of_a_space_are_right(f, values, turned):
    a = of_values(*values, turned=turned)
    assert close(gradgen.grad(f)(a), numeric_gradient(f, [a], 0).value)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
@pytest.mark.parametrize(
    "f", [polar, left, left_of_all, right], ids=lambda f: f.__name__
)
def test_of_matrices_that_are_no_squares(f, shape):
    a = of_values(2, 2, 1, shape=shape)
    assert close(gradgen.grad(f)(a), numeric_gradient(f, [a], 0).value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_values_are_equal(dtype):
    a = of_values(2, 2, 2).astype(dtype)
    found = gradgen.grad(polar)(a)
    assert found.dtype == dtype
    wanted = numeric_gradient(polar, [a.astype(float)], 0).value
    assert np.allclose(found, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("values", EQUAL)
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize(
    "f", [roots, whitened, of_any_matrix, beside_values], ids=lambda f: f.__name__
)
def test_functions_of_values_as_well_are_right_or_not_finite(f, values, turned):
    a = of_values(*values, turned=turned)
    with np.errstate(all="ignore"):
        found = gradgen.grad(f)(a)
        tangent = gradgen.jvp(f)(a, W[:3, :3])[1]
    if values[1] - values[0] > 1e-9:
        assert np.all(np.isfinite(found)) and np.isfinite(tangent)
    wanted = numeric_gradient(f, [a], 0).value
    if f is beside_values and abs(values[1] - values[0]) < 1e-9:
        return  # which of the two is the last one is not known
    assert not np.all(np.isfinite(found)) or close(found, wanted)
    assert not np.isfinite(tangent) or close(tangent, np.sum(W[:3, :3] * wanted))


def test_equal_values_that_nobody_reads():
    """Of rank two: three eigenvalues are 0, of which no vector counts."""
    a = np.random.default_rng(1).normal(size=(5, 2))

    def f(a):
        w, v = np.linalg.eigh(a @ a.T)
        c = v[:, -2:]
        return np.sum(c @ c.T * W[:5, :5]) + np.sum(w[-2:])

    assert close(gradgen.grad(f)(a), numeric_gradient(f, [a], 0).value)


def test_the_names_of_the_user():
    def f(a):
        u, s, vt = np.linalg.svd(a, full_matrices=False)
        return np.sum(u @ vt)

    text = gradgen.emit(f, example=(np.eye(3),))
    assert "u, s, vt = np.linalg.svd(a" in text and "a_svd" not in text


@pytest.mark.parametrize("seed", range(8))
def test_the_vectors_of_scipy_are_its_own(seed):
    s = np.random.default_rng(seed).normal(size=(4, 4))
    s = s + s.T

    def f(a):
        w, v = scipy.linalg.eigh(a)
        return v[0].sum() + w @ v[1]

    assert gradgen.value_and_grad(f)(s)[0] == f(s)


def test_eigenvalues_of_two_matrices():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))

    def f(a, b):
        pair = a @ a.T, b @ b.T + np.eye(4)
        return np.sum(scipy.linalg.eigh(*pair, eigvals_only=True) ** 2 * np.arange(4.0))

    found = gradgen.grad(f, ("a", "b"))(a, b)
    for i in range(2):
        assert close(found[i], numeric_gradient(f, [a, b], i).value)
    change = gradgen.jvp(f, ("a", "b"))(a, b, a, b)[1]
    assert close(change, np.sum(found[0] * a) + np.sum(found[1] * b))

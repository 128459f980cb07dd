"""scipy.linalg's factors: NumPy's in another spelling; what is made of them."""

import numpy as np
import pytest
import scipy.linalg as sl

import gradgen
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(0)
TALL = rng.normal(size=(5, 3))
TALLER = np.random.default_rng(53).uniform(0.3, 1.7, size=(7, 3))
FULL = TALL.T @ TALL + np.eye(3)
WEIGHTS = np.arange(3.0)


def of_factors(x):
    u, s, vh = sl.svd(x, full_matrices=False)
    return np.sum(u**3) + np.sum(s**2 * WEIGHTS) + np.sum(vh**3)


def of_values(x):
    return np.sum(sl.svdvals(x) ** 3) + sl.svd(x, compute_uv=False)[0]


def of_a_triangle(x):
    q, r = sl.qr(x, mode="economic", check_finite=False)
    return np.sum(r**2 * WEIGHTS) + np.sum(q**3)


def of_an_inverse(x):
    return np.sum(sl.pinv(x) ** 2) * sl.norm(x) * sl.norm(x, 1)


def of_a_rotation(x):
    return np.sum(sl.polar(x)[0] ** 3)


def of_procrustes(x):
    rotation, scale = sl.orthogonal_procrustes(x, x**2 + 1)
    return np.sum(rotation**3) * scale


def of_a_base(x):
    base = sl.orth(x)
    return np.sum((base @ base.T) ** 3 * np.arange(len(x)))


def of_angles(x):
    return np.sum(sl.subspace_angles(x, x**2) ** 2)


def of_symmetric(x):
    s = x + x.T
    w, v = sl.eigh(s)
    return np.sum(v**2 * WEIGHTS) + np.sum(w**3)


def of_eigenvalues(x):
    return np.sum(sl.eigvalsh(x @ x.T, lower=False) ** 2 * WEIGHTS)


def of_half(x):
    return np.sum(sl.eigh(x @ x.T, eigvals_only=True) ** 2 * WEIGHTS)


def of_tanh(x):
    return np.sum(sl.tanhm(x * 0.2) ** 2)


def of_a_symmetric_inverse(x):
    inverse = sl.pinvh(x @ x.T)
    return np.sum(inverse**2 * WEIGHTS) + np.sum(sl.pinvh(x, lower=False) ** 2)


ANY = [of_factors, of_values, of_a_triangle, of_an_inverse, of_a_rotation]
ANY += [of_procrustes, of_a_base]
SQUARE = [
    of_a_symmetric_inverse,
    of_symmetric,
    of_eigenvalues,
    of_half,
    of_tanh,
    of_factors,
    of_an_inverse,
]


@pytest.mark.parametrize(
    ("f", "x"),
    # six directions of seven: of five, two planes of three would share one
    [*((f, TALL) for f in ANY), *((f, FULL) for f in SQUARE), (of_angles, TALLER)],
)
def test_the_derivative(f, x):
    want = numeric_gradient(f, (x,), 0).value
    value, found = gradgen.value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-10)
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)


def test_what_numpy_has_not_is_refused():
    more = {"eigvals_only": True, "subset_by_index": (0, 1)}
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(lambda x: np.sum(sl.eigh(x, **more)))(FULL)


def test_pivots_are_refused():
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(lambda x: np.sum(sl.qr(x, pivoting=True)[1]))(FULL)


def test_a_matrix_with_nan_raises_as_scipy_does():
    with pytest.raises(ValueError, match="infs or NaNs"):
        gradgen.grad(of_angles)(np.full((4, 2), np.nan))

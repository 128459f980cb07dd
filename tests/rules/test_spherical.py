"""Functions of spheres of scipy.special, factorials, and scaled Bessel functions."""

import numpy as np
import pytest
from scipy import special

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.both_doors import compare

X = np.array([0.3, 0.8, 1.5, 2.9])
# sph_harm_y and legendre_p are of SciPy 1.15
newer = pytest.mark.skipif(not hasattr(special, "legendre_p"), reason="SciPy 1.15")


def first(x):
    return special.spherical_jn(2, x) + special.spherical_jn(0, x, derivative=True)


def second(x):
    return special.spherical_yn(1, x) * special.spherical_yn(2, x, True)


def modified(x):
    grows = special.spherical_in(2, x) * special.spherical_in(1, x, derivative=True)
    return grows + special.spherical_kn(1, x) * special.spherical_kn(2, x, True)


def orders(x):
    return special.spherical_jn(np.arange(3)[:, None], x)


def factorials(x):
    return special.factorial(x + 0.3) / special.factorial(4)


def negative(x):
    return special.factorial(x - 1.4) * x


def scaled(x):
    return special.kve(1, x) + special.kve(0.5, x**2)


@pytest.mark.parametrize(
    "f", [first, second, modified, orders, factorials, negative, scaled]
)
@pytest.mark.parametrize("x", [X, 0.7, np.outer(X, X)[:2]])
def test_elementwise(f, x):
    if f is not orders or np.ndim(x) < 2:
        compare(f, (x,))


def harmonic(x):
    return np.real(special.sph_harm_y(3, 1, x, 0.4))


def azimuth(x):
    return np.abs(special.sph_harm_y(3, -2, 0.3, x) + x)


def both(x):
    return np.imag(special.sph_harm_y(2, 2, x, x**2) * (2 - 1j))


def legendre(x):
    return np.squeeze(special.legendre_p(4, x))


def associated(x):
    whole = special.assoc_legendre_p(3, 2, x)[0]
    return whole + special.assoc_legendre_p(3, 1, x, norm=True)[0] ** 2


@newer
@pytest.mark.parametrize("f", [harmonic, azimuth, both])
@pytest.mark.parametrize("x", [X, 0.7])
def test_harmonics(f, x):
    compare(f, (x,))


@newer
@pytest.mark.parametrize("f", [legendre, associated])
@pytest.mark.parametrize("x", [X / 3, 0.7])
def test_legendre(f, x):
    compare(f, (x,))


def rows_of_values(x):
    return special.legendre_p(3, x)


def sum_of_values(x):
    return np.sum(special.assoc_legendre_p(3, 2, x) * np.sin(x))


@newer
@pytest.mark.parametrize("f", [rows_of_values, sum_of_values])
def test_values_stand_in_a_row_of_one(f):
    x = X.reshape(2, 2) / 3
    found = gradgen.grad(f, shapes={"x": "n d"}, strict=True)(x, seed=f(x) * 0 + 2.0)
    np.testing.assert_allclose(found, 2 * numeric_gradient(f, [x], 0).value, rtol=1e-6)


@newer
def test_values_and_slopes_are_refused():
    def f(x):
        return np.sum(special.legendre_p(3, x, diff_n=1)[1] * x)

    with pytest.raises(gradgen.GradgenError, match="diff_n"):
        gradgen.grad(f)(X / 3)


@newer
def test_beyond_the_poles():
    compare(harmonic, (np.array([-0.5, 4.0, 7.0, -4.0]),))


@newer
def test_at_a_pole():
    x, h = np.array([0.0, np.pi]), np.array([1e-6, -1e-6])  # to the inside
    want = (harmonic(x + h) - harmonic(x)) / h
    assert np.allclose(gradgen.grad(harmonic)(x, seed=np.ones(2)), want, rtol=1e-4)


def of_orders(x, n, m):
    return special.sph_harm_y(n, m, x, 0.4).real


@newer
@pytest.mark.parametrize(
    "n, m",
    [
        (3, 1),
        (np.array([3, 2, 4, 3]), np.array([1, -2, 0, 3])),
        (np.uint8(2), np.uint8(0)),
        (np.array([3, 2, 4, 3], np.uint8), np.array([1, 0, 0, 3], np.uint8)),
    ],
)
def test_orders_stay_whole_numbers(n, m):
    """SciPy takes no floats there, and below an unsigned 0 there is one as well."""
    h = 1e-6
    above, below = of_orders(X + h, n, m), of_orders(X - h, n, m)
    wanted = (above - below) / (2 * h)
    got = gradgen.grad(of_orders)(X, n, m, seed=np.ones(4))
    np.testing.assert_allclose(got, wanted, rtol=1e-7, atol=1e-8)
    space = {}
    exec(gradgen.emit(of_orders), space)
    np.testing.assert_allclose(space["grad_of_orders"](X, n, m, np.ones(4)), got)

"""Quotients of exponentials: gradients are finite where e overflows, and 0 where that is."""

import numpy as np
import pytest

import gradgen

STEP = np.longdouble("1e-400")
PLACES = [-800.0, -711.0, -30.0, -2.0, -1e-3, 0.5, 30.0, 711.0, 800.0]


def swish(x):
    return np.sum(x / (1 + np.exp(-x)))


def swish_in_parts(x):
    e = np.exp(-x)
    den = 1 + e
    s = x / den
    return np.sum(s)


def sigmoid_in_parts(x):
    e = np.exp(-x)
    den = 1 + e
    s = 1 / den
    return np.sum(s)


def above_and_below(x):
    return np.sum((3 - x) / (np.exp(0.5 * x) + 1))


def boltzmann(x):
    m = 1.5 + (4 - 1.5) / (1 + np.exp((0.3 - x) / 0.7))
    return np.sum(m**2)


def bose(x):
    return np.sum(x / (np.exp(x) - 1))


def planck(x):
    e = np.exp(x)
    b = x**3 / (e - 1)
    return np.sum(b)


def planck_by_expm1(x):
    return np.sum(x**3 / np.expm1(x))


def rate_of_a_channel(x):
    return np.sum(0.1 * (x + 40) / (1 - np.exp(-(x + 40) / 10)))


def soliton(x):
    u = 0.5 / np.cosh(0.7 * x) ** 2
    return np.sum(u + 1 / np.cosh(x))


FUNCTIONS = [
    swish,
    swish_in_parts,
    sigmoid_in_parts,
    above_and_below,
    boltzmann,
    bose,
    planck,
    planck_by_expm1,
    rate_of_a_channel,
    soliton,
]


def exact(function, place):
    """The derivative by a complex step, in numbers whose exponentials do not overflow."""
    z = np.array([np.clongdouble(complex(place))])
    z = z + np.clongdouble(1j) * STEP
    return float(function(z).imag / STEP)


@pytest.mark.skipif(
    np.finfo(np.longdouble).maxexp <= 1024, reason="long doubles are doubles here"
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_finite_where_the_function_is(function):
    x = np.array(PLACES)
    with np.errstate(all="ignore"):
        found = gradgen.grad(function)(x)
        wanted = np.array([exact(function, place) for place in x])
    assert found.shape == x.shape and found.dtype == x.dtype
    assert np.all(np.isfinite(wanted))
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-13)


def shares(x):
    """Tiny numbers that count: of log(p) only their quotient is left."""
    p = np.exp(x) / (1 + np.exp(x))
    return np.sum(np.log(p))


def test_small_shares_keep_their_digits():
    x = np.array([-60.0, -40.0, -1.0, 3.0])
    found = gradgen.grad(shares)(x)
    np.testing.assert_allclose(found, 1 / (1 + np.exp(x)), rtol=1e-12)


def test_what_is_printed():
    text = gradgen.emit(swish, shapes={"x": "n"})
    assert "d_x = d_out * (1 + x * (1 - 1 / inner)) / inner\n" in text
    text = gradgen.emit(soliton, shapes={"x": "n"})
    assert "np.sinh" not in text and "np.tanh" in text

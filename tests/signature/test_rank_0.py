"""Arrays of rank 0: changed in place, where a number is bound anew."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def aliased(x, y):
    z = x
    z += y
    return x * z


def stored(x, y):
    z = x
    z[...] = np.sin(x) * y
    return np.sum(z * x)


def in_a_loop(x, y):
    z = x
    for _ in range(3):
        z *= y
    return z + x * y


def in_an_arm(x, y):
    z = x
    if y > 0.5:
        z -= x * y
    return x * z + y


def of_parts(p):
    z = p["x"]
    z += p["y"]
    return np.sin(p["x"]) * z


FUNCTIONS = [aliased, stored, in_a_loop, in_an_arm]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("maker", ["grad", "value_and_grad", "vjp", "jvp"])
def test_arrays_of_rank_0(function, maker):
    x, y = np.array(1.3), np.array(0.7)
    made = getattr(gradgen, maker)(function)
    for _ in range(3):
        if maker == "jvp":
            got = made(x, y, np.array(1.0))[1]
        elif maker == "grad":
            got = made(x, y)
        else:
            got = made(x, y)[1]
        got = got() if maker == "vjp" else got
        want = numeric_gradient(function, [x.copy(), y.copy()], 0, 1.0).value
        np.testing.assert_allclose(got, want, rtol=1e-7)
        assert (x, y) == (1.3, 0.7)  # left as they were


@pytest.mark.parametrize("function", [aliased, in_a_loop, in_an_arm])
@pytest.mark.parametrize("shapes", [{}, {"x": ""}, {"x": "", "y": ""}])
def test_told_to_be_numbers(function, shapes):
    g = gradgen.grad(function, shapes=shapes)
    for x in (np.array(1.3), 1.3, np.float64(1.3), np.array(0.4)):
        own = x.copy() if isinstance(x, np.ndarray) else x
        want = numeric_gradient(function, [own, 0.7], 0, 1.0).value
        try:
            np.testing.assert_allclose(g(x, 0.7), want, rtol=1e-7)
        except gradgen.GradgenError as refusal:
            assert refusal.code == "GG233" and not isinstance(x, np.ndarray)


@pytest.mark.parametrize("other", [0.7, np.float64(0.7), np.array(0.7)])
def test_float32_stays_float32(other):
    g = gradgen.grad(aliased)
    for _ in range(3):
        assert g(np.array(1.3, np.float32), other).dtype == np.float32


def test_in_containers():
    g = gradgen.grad(of_parts)({"x": np.array(1.3), "y": np.array(0.7)})

    def flat(x, y):
        return of_parts({"x": x, "y": y})

    for i, key in enumerate("xy"):
        want = numeric_gradient(flat, [np.array(1.3), np.array(0.7)], i, 1.0).value
        np.testing.assert_allclose(g[key], want, rtol=1e-7)


def laid_out(x):
    return np.ascontiguousarray(x) * 2


def laid_out_otherwise(x):
    return np.asfortranarray(np.sin(x)) ** 2


@pytest.mark.parametrize("x", [2.0, np.array(2.0), np.float64(2.0), np.ones((2, 3))])
@pytest.mark.parametrize("function", [laid_out, laid_out_otherwise])
def test_what_gives_a_number_an_axis(function, x):
    seed = np.ones(np.shape(function(x)))
    want = numeric_gradient(function, [x], 0, seed).value
    got = gradgen.grad(function)(x, seed=seed)
    assert np.shape(got) == np.shape(x)
    np.testing.assert_allclose(got, want, rtol=1e-7)
    assert gradgen.jvp(function)(x, x)[1].shape == np.shape(function(x))

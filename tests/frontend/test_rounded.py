"""round(x, n) and round(x) are Python's: of Python's numbers not those of np.round."""

import numpy as np
import pytest

import gradgen

X = np.array([0.3, -1.2, 0.7])


def price(x, p):
    return np.sum(x * round(p, 2))


def whole(x, p):
    return np.sum(x) * round(p)


def of_an_entry(x, p):
    return np.sum(x * round(float(x[0]) + p, 2))


def of_numpys_number(x, p):
    return np.sum(x * round(x[0] + np.float64(p), 2))


def hundreds(x, p):
    return np.sum(x) * round(p * 100, -1)


@pytest.mark.parametrize(
    "function", (price, whole, of_an_entry, of_numpys_number, hundreds)
)
# np.round(7.215, 2) is 7.22, and round(7.215, 2) is 7.21
@pytest.mark.parametrize("p", (7.215, 0.215, 5.565, 2.5, 6.745))
@pytest.mark.parametrize("dtype", (np.float64, np.float32))
def test_the_factor_is_what_round_makes_of_it(function, p, dtype):
    x = X.astype(dtype)
    want = function(x + 1, p) - function(x, p)  # of a linear function, but for of x[0]
    value, got = gradgen.value_and_grad(function)(x, p)
    assert value == function(x, p) and type(value) is type(function(x, p))
    assert got.dtype == dtype
    if "of_" not in function.__name__:
        np.testing.assert_allclose(np.sum(got), want, rtol=1e-5)
    factor = {
        price: round(p, 2),
        whole: round(p),
        of_an_entry: round(float(x[0]) + p, 2),
        of_numpys_number: round(x[0] + np.float64(p), 2),
        hundreds: round(p * 100, -1),
    }[function]
    np.testing.assert_allclose(got, np.full(3, factor), rtol=1e-6)
    space: dict = {}
    exec(gradgen.emit(function), space)
    alone = space[f"grad_{function.__name__}"](x, p)
    np.testing.assert_allclose(alone, np.full(3, factor), rtol=1e-6)

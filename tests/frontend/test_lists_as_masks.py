"""Lists and tuples where NumPy takes arrays: masks, orders, data of distributions."""

import numpy as np
import pytest
from scipy import special, stats

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([1.0, -2.0, 3.0])


def extracted(x):
    return np.sum(np.extract([True, False, True], x) ** 2)


def extracted_by_numbers(x, m=(1, 0, 2)):
    return np.sum(np.extract(m, x) ** 2)


def pieces(x):
    chosen = [[True, False, True]]
    return np.sum(np.piecewise(x, chosen, [lambda v: v**2, lambda v: v * 3]))


def placed(x, m=[False, False, True]):
    y = x * 2
    np.place(y, m, [7.0])
    return np.sum(y**2)


def selected(x):
    return np.sum(np.select([[True, False, False], x > 0], [x, x**2], 0.0))


def selected_by_default(x, m=[True, False, False]):
    return np.sum(np.select([m, x > 0], [x, x**2], 0.0))


@pytest.mark.parametrize(
    "function",
    [extracted, extracted_by_numbers, pieces, placed, selected, selected_by_default],
)
def test_a_list_is_a_mask(function):
    value, found = gradgen.value_and_grad(function)(X)
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(value, function(X))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    names = {}
    exec(gradgen.emit(function), names)
    found = names[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


LISTED = {
    "bernoulli": lambda p: np.sum(stats.bernoulli.logpmf([0, 1], p)),
    "poisson": lambda p: np.sum(stats.poisson.logpmf((0, 1, 4), p)),
    "geom": lambda p: np.sum(stats.geom.logpmf([1, 2], p)),
    "binom": lambda p: np.sum(stats.binom.logpmf([1, 2], [4, 5], p)),
    "jv": lambda p: np.sum(special.jv([0, 1], p)),
    "kv": lambda p: np.sum(special.kv([0, 1], p)),
    "gammainc": lambda p: np.sum(special.gammainc([1.0, 2.0], p)),
    "polygamma": lambda p: np.sum(special.polygamma([1, 2], p)),
    "legendre": lambda p: np.sum(special.eval_legendre([1, 2], p)),
    "boxcox": lambda p: np.sum(special.boxcox(p, [1.0, 2.0])),
    "stdtr": lambda p: np.sum(special.stdtr([3, 4], p)),
    "hyp1f1": lambda p: np.sum(special.hyp1f1([1.0, 2.0], 1.5, p)),
    "power": lambda p: np.sum(np.power([2.0, 3.0], p)),
    "divide": lambda p: np.sum(np.divide([1.0, 2.0], p)),
}


@pytest.mark.parametrize("name", LISTED)
def test_a_list_of_numbers_is_an_array(name):
    found = gradgen.grad(LISTED[name])(0.4)
    want = numeric_gradient(LISTED[name], [0.4], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6)

"""Lanes that were not chosen give 0, whatever their derivative would be there."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

INF = np.inf


def where_exp(x):
    return np.sum(np.where(x < 0, np.exp(x), 0))


def where_two_poles(x):
    return np.sum(np.where(x < 0, 1 / (1 - x), np.log(x + 1.0)))


def by_steps(x):
    y = np.sqrt(x)
    s = np.log(y) * y
    return np.sum(np.where(x > 0, s, x))


def nested(x):
    u = np.where(x > 0, np.sqrt(x), 1)
    return np.sum(np.where(x < 3, np.log(u), 1))


def entropy(x):
    return -np.sum(np.where(x > 0, x * np.log(x), 0))


def turned(x):
    m = np.stack([x, x, x])
    return np.sum(np.where(m > 0, 1 / m, 0).T * np.arange(3.0))


def rows_turned(x):
    m = np.stack([x, x]).T
    return np.sum(np.where(m.T > 0, np.sqrt(m).T, 0), axis=0) @ np.arange(len(x))


def selected(x):
    y = 1 / x
    mask = x > 0
    return np.sum(y[mask])


def selected_chain(x):
    y = np.sqrt(x) * 3
    mask = x > 0
    return np.sum(y[mask] ** 2)


def nansum_of_products(x):
    return np.nansum(x * np.log(x))


def by_keyword(x):
    return np.sum(np.log(x), where=x > 0)


def mean_by_keyword(x):
    return np.mean(1 / x, where=x > 0)


def maximum(x):
    return np.sum(np.maximum(np.sqrt(np.abs(x)), 0) * x)


def selects(x):
    return np.sum(np.select([x < 0, x > 0], [x * x, np.log(x)], 5.0))


def in_a_loop(x):
    for i in range(2):
        x = np.where(x > 0, np.sqrt(x), x)
    return np.sum(x)


def in_a_branch(x):
    if len(x) > 1:
        x = np.where(x > 0, np.log(x), 0)
    return np.sum(x * x)


LANES = np.array([0.7, 0.0, -0.4, 1.9, 6.0, -7.0])
CASES = [
    where_exp, where_two_poles, by_steps, nested, entropy, turned, rows_turned,
    selected, selected_chain, by_keyword, mean_by_keyword, selects, in_a_loop,
    in_a_branch, nansum_of_products,
]  # fmt: skip


def expected(function, x):
    """Lane by lane, where differences find a value on both sides; 0 at the mask's edge."""
    found = np.zeros_like(x)
    with np.errstate(all="ignore"):
        for i in range(len(x)):
            if x[i] != 0:
                one = numeric_gradient(
                    lambda y: lane(function, y, x, i), [x[i]], 0, 1.0
                )
                found[i] = one.value
    return found


def lane(function, y, x, i):
    """The function of one entry, the others held."""
    all_of_them = x.astype(np.result_type(y, x))
    all_of_them[i] = y
    return function(all_of_them)


@pytest.mark.parametrize(
    "function, shapes",
    [(function, {"x": "n"}) for function in CASES]
    # a mask of unknown rank is not turned with its value
    + [(function, {}) for function in CASES if function is not rows_turned],
)
def test_every_lane_is_right(function, shapes):
    gradient = gradgen.grad(function, shapes=shapes)
    with np.errstate(all="ignore"):
        found = gradient(LANES)
        single = gradient(LANES.astype(np.float32))
        want = expected(function, LANES)
    regular = LANES != 0
    np.testing.assert_allclose(found[regular], want[regular], rtol=1e-6, atol=1e-9)
    assert np.all(np.isfinite(found)), found
    assert found.dtype == np.float64 and single.dtype == np.float32
    assert np.all(np.isfinite(single))


def test_an_exponential_that_overflows():
    x = np.array([-1.0, 0.0, 1000.0])
    with np.errstate(all="ignore"):
        found = gradgen.grad(where_exp)(x)
    np.testing.assert_array_equal(found, [np.exp(-1.0), 0, 0])


def test_no_select_is_a_product_with_zeros_and_ones():
    for function in CASES:
        text = gradgen.emit(function, shapes={"x": "n"})
        assert not re.search(r"where\([^()]*, (1|1\.0|0|0\.0), (1|1\.0|0|0\.0)\)", text)
        assert "nan_to_num" not in text


def test_masks_are_joined_and_written_once():
    text = gradgen.emit(nested, shapes={"x": "n"})
    text = re.sub(r"#.*", "", text)
    assert text.count("np.where(x") == 1  # the primal's
    assert text.count("np.where((x") == 1  # the gradient's
    assert "(x < 3) & (x > 0)" in text

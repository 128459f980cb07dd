"""Emitted texts called with whole numbers: right, or an exception, never cut off."""

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.arguments import functions


def density(loc, x):
    return np.sum(stats.norm.logpdf(x, loc, 1.3))


def scaled_log(loc, x):
    return np.sum(np.log(3) * loc * x)


def power(loc, x):
    return np.sum(np.full(2, 0.5) * loc**2) * x


def shifted(loc, x):
    y = loc + 0.25
    return np.where(y > 1, y * np.sqrt(2), x) * np.exp(0.5)


def unread(loc, x):
    return x * 0.5 + np.round(loc)


@pytest.mark.parametrize("function", [density, scaled_log, power, shifted, unread])
@pytest.mark.parametrize("loc", [2, True, 3])
def test_a_number_told_as_such_may_be_a_python_int(function, loc):
    made = gradgen.grad(function, shapes={"loc": "", "x": ""})
    found = made.function(loc, 1)
    want = numeric_gradient(lambda v: function(v, 1.0), [float(loc)], 0).value
    assert np.shape(found) == () and np.allclose(found, want, rtol=1e-6, atol=1e-8)
    assert np.asarray(found).dtype == float
    assert np.allclose(made(loc, 1), want, rtol=1e-6, atol=1e-8)


def gathered(x):
    return np.sum(x[[0, 2, 0]] * 0.3)


def stored(x):
    y = np.zeros_like(x) + 0.5
    y[1:] = x[1:] * 0.7
    return np.sum(y * x)


def selected(x):
    return np.sum(np.where(x > 2, x * 0.3, x / 7))


def rolled(x):
    total = 0.0
    for i in range(1, len(x)):
        total = total + x[i] * x[i - 1] * 0.3
    return total


def sliced(x):
    y = 3 * x
    return np.sum(y[::2] * 0.4) + np.max(y) * 0.3


def summed(x):
    return np.sum(np.cumsum(x) * 0.3) + np.prod(x) * 0.01


UNTOLD = [gathered, stored, selected, rolled, sliced, summed]
UNTOLD += [functions.entries, functions.mean, functions.largest, functions.columns]
UNTOLD += [functions.running, functions.weighted, functions.exponentials]


@pytest.mark.parametrize("function", UNTOLD)
@pytest.mark.parametrize("dtype", [int, np.int32, np.uint32])
def test_integers_without_facts_keep_their_fractions(function, dtype):
    x = np.array([1, 4, 3])
    x = np.stack([x, x + 1]) if function is functions.columns else x
    want = numeric_gradient(function, [x.astype(float)], 0).value
    text = gradgen.grad(function).function
    try:
        found = text(x.astype(dtype))
    except (TypeError, ValueError):
        return
    assert np.allclose(found, want, rtol=1e-6, atol=1e-8), (found, want)
    assert found.dtype.kind == "f"


@pytest.mark.parametrize("function", UNTOLD)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble])
def test_floating_arrays_keep_their_dtype(function, dtype):
    x = np.array([1.5, 4.25, 3.0], dtype)
    x = np.stack([x, x + 1]) if function is functions.columns else x
    assert gradgen.grad(function).function(x).dtype == dtype


def test_what_is_told_to_be_an_array_is_written_as_before():
    text = gradgen.emit(functions.mean, shapes={"x": "n"})
    assert "np.full_like(x, 0.7 * d_out / len(x))" in text
    text = gradgen.emit(functions.mean)
    assert "dtype=np.result_type(np.asarray(x), 0.0)" in text


@pytest.mark.parametrize("x", [2.0, 3, np.float32(2.0), np.array(2.0)])
@pytest.mark.parametrize("function", [functions.transposed, functions.norm])
def test_a_number_where_the_gradient_moves_axes(function, x):
    want = numeric_gradient(function, [np.float64(x)], 0).value
    for made in (gradgen.grad(function), gradgen.vjp(function)):
        found = made(x)
        found = found[1]() if isinstance(found, tuple) else found
        assert np.allclose(found, want) and np.shape(found) == ()


def test_where_the_primal_raises_so_does_the_gradient():
    def moved(x):
        return np.sum(x.T * x.copy()) * x.shape[0]

    for made in (gradgen.grad(moved), gradgen.value_and_grad(moved)):
        with pytest.raises(AttributeError, match="'float' object has no"):
            made(2.0)
    with pytest.raises(TypeError, match="not subscriptable"):
        gradgen.grad(functions.entries)(2.0)

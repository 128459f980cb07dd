"""copy.copy and copy.deepcopy, methods with out=, and functions like NumPy's."""

from __future__ import annotations

import copy
import math
import sys
import types
from copy import deepcopy

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.measured import X, at_three_points, is_right


def of_an_array(x):
    y = copy.copy(x)
    y[0] = x[1] * 3
    return np.sum(y * x)


def of_a_list(x):
    a = [x * 2, x * 1]
    b, c = deepcopy(a), copy.copy(a)
    b[0][1] = 5.0
    c[1][0] = 7 * x[1]
    c.append(x[2])
    return np.sum(a[0] * b[0]) + np.sum(b[1] * a[1]) + len(a) * c[2]


def of_one_array_twice(x):
    y = x * 2
    a = deepcopy([y, y, (y, [y])])
    a[0][0] = 3.0
    return np.sum(a[1] * a[2][0] * a[2][1][0] * y)


def of_one_list_twice(x):
    one = [x[0], x[1]]
    a = deepcopy([one, one])
    a[0][0] = x[2]
    return a[1][0] * one[0]


def of_a_number_and_a_dictionary(x):
    s = x[0] * 2
    t = copy.copy(s)
    t += 1
    d = {"a": x, "n": 3}
    e = deepcopy(d)
    e["a"][0] = 1.0
    e["n"] = 4
    return np.sum(d["a"] * e["a"]) * e["n"] + t * d["n"] + s


def of_a_list_that_a_loop_fills(x):
    filled = []
    for i in range(len(x)):
        filled.append(x[i])
    other = copy.copy(filled)
    other[0] = 4.0
    return filled[0] * other[1] + other[0]


def methods_with_out(x):
    y = np.empty_like(x)
    np.add(x, 1, out=y)
    y.cumprod(axis=0, out=y)
    z = y.cumsum(out=np.zeros(3))
    y.clip(-0.5, 1.0, out=y)
    return np.sum(y * z)


def a_total_with_out(x):
    n = np.zeros(())
    (x * x).sum(out=n)
    return n * n


def of_math(x):
    s = 0.0
    for i in range(len(x)):
        s += math.erf(x[i]) * math.exp(1 + x[i] ** 2)
    return s + math.erfc(x[1]) * math.sqrt(abs(x[2]) + 0.5)


RIGHT = [
    of_an_array,
    of_a_list,
    of_one_array_twice,
    of_one_list_twice,
    of_a_number_and_a_dictionary,
    of_a_list_that_a_loop_fills,
    methods_with_out,
    a_total_with_out,
    of_math,
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
@at_three_points
def test_its_gradient(function, x):
    is_right(function, x)


class Plain:
    def __init__(self, x):
        self.x = x


def of_an_instance(x):
    return np.sum(copy.copy(Plain(x)).x)


def test_a_copy_of_an_instance():
    np.testing.assert_allclose(gradgen.grad(of_an_instance)(np.arange(3.0)), np.ones(3))


def stand_in(name, functions):
    """A library whose functions no text is at hand of."""
    module = types.ModuleType(name)
    for one, function in functions.items():
        made = types.FunctionType(function.__code__, function.__globals__, one)
        made.__kwdefaults__, made.__defaults__ = None, function.__defaults__
        setattr(module, one, made)
    return module


def nanstd(a, axis=None, ddof=0):
    return np.nanstd(a, axis=axis, ddof=ddof)


def nanmean(a, axis=None):
    return np.nanmean(a, axis=axis)


def isnull(x):
    return np.isnan(x)


def is_scalar(x):
    return np.isscalar(x)


def test_functions_of_bottleneck(monkeypatch):
    module = stand_in("bottleneck", {"nanstd": nanstd, "nanmean": nanmean})
    monkeypatch.setitem(sys.modules, "bottleneck", module)

    def f(x):
        y = np.reshape(x, (3, 1)) * np.array([1.0, 2.0])
        return np.sum(module.nanstd(y, 0, 1) * module.nanmean(y, axis=0))

    want = numeric_gradient(f, [X], 0).value
    both = gradgen.value_and_grad(f)
    np.testing.assert_allclose(both(X)[1], want, rtol=1e-6)
    assert "np.nanstd(" in both.source


def test_predicates_of_pandas(monkeypatch):
    pandas = stand_in("pandas", {"isnull": isnull, "notnull": isnull})
    kinds = stand_in("pandas.api.types", {"is_scalar": is_scalar})
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    monkeypatch.setitem(sys.modules, "pandas.api.types", kinds)

    def f(x):
        if kinds.is_scalar(x):
            return x
        y = np.where(pandas.isnull(x), 0.0, x)
        return np.sum(y * y) + (kinds.is_scalar(2.0) and x[0])

    def g(x):
        return np.sum(x[pandas.notnull(x)] ** 2)

    x = np.array([0.5, np.nan, 2.0])
    np.testing.assert_allclose(gradgen.grad(f)(x), [2.0, 0.0, 4.0])
    np.testing.assert_allclose(gradgen.grad(g)(x), [1.0, 0.0, 4.0])

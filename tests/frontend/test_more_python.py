"""Forms of Python and NumPy that libraries write: each is differentiated untouched."""

from __future__ import annotations

import copy
import inspect
import math
from dataclasses import asdict, astuple, dataclass, field
from sys import float_info

import numpy as np
import pytest
from numpy import broadcast_arrays

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.measured import at_three_points, is_right
from tests.refusals import refusal


@dataclass
class Pair:
    a: float = field(default_factory=lambda: None)
    b: object = 2.0


def pair(x):
    return Pair(x[0] * x[1], [x, Pair(x[2])])


def as_a_tuple(x):
    a, (y, (c, b)) = astuple(pair(x))
    y[0] = 3.0
    return a * b * c * np.sum(y * x)


def as_a_dictionary(x):
    d = asdict(pair(x))
    return d["a"] * d["b"][1]["a"] ** 2 * d["b"][1]["b"]


def an_order_of_c(x):
    y = np.zeros(x.shape, float, "C")
    y[x > 0] = x[x > 0]
    return np.sum(y * y * np.full(3, 2.0, order="C"))


def a_limit_of_the_system(x):
    out = -1 * float_info.max
    total = np.sum(x * x)
    if total > 0:
        out = total
    return out


def an_attribute_that_nothing_has(x):
    n = np.sum(x)
    try:
        t = np.finfo(n.type).eps * 3
    except (AttributeError, ValueError):
        t = 2.0
    return n * n * t


def scaled(x, k=2.0):
    return x * k


def shifted(x, m=3.0, p=1.0):
    return x * m + p


WAYS = {"scaled": scaled, "shifted": shifted}


def known_to(function, **options):
    options = copy.copy(options)
    names = list(inspect.signature(function).parameters.keys())
    for name in set(options.keys()) - set(names):
        options.pop(name)
    return options


def options_by_signature(x, way="shifted"):
    function = WAYS[way]
    return np.sum(function(x, **known_to(function, k=5.0, m=4.0, p=2.0)) ** 2)


def names_of_a_signature(x):
    names = inspect.signature(scaled).parameters
    return np.sum(x * x) * (2.0 if "k" in names else 3.0) * len(names)


def a_list_of_its_entries(x):
    entries, total = x.tolist(), 0.0
    for entry in entries:
        total += entry * entry * entries[0]
    return total * len((2 * x).tolist())


def an_exact_sum(x):
    return math.fsum(x * x) * math.fsum(v * 2 for v in x) + math.fsum([x[0], 3])


RIGHT = [
    a_list_of_its_entries,
    an_exact_sum,
    options_by_signature,
    names_of_a_signature,
    as_a_tuple,
    as_a_dictionary,
    an_order_of_c,
    a_limit_of_the_system,
    an_attribute_that_nothing_has,
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
@at_three_points
def test_its_gradient(function, x):
    is_right(function, x)


def stored_where_it_is_an_array(x, y):
    x, y = broadcast_arrays(x, y)
    d = np.tan(x) * y
    near = abs(x) < 0.1
    try:
        d[near] = x[near] * 3
    except (AttributeError, TypeError):
        if near:
            d = x * 3
    return np.sum(d * y)


def stored_without_arrays(x, y):
    d = np.tan(x) * y
    near = abs(x) < 0.1
    try:
        d[near] = 3
    except TypeError:
        if near:
            d = x * 3
    return np.sum(d * y)


@pytest.mark.parametrize(
    "function", [stored_where_it_is_an_array, stored_without_arrays]
)
@pytest.mark.parametrize("x", [0.7, 0.05, np.array([0.7, 0.05])])
def test_a_store_that_only_an_array_takes(function, x):
    want = numeric_gradient(function, [x, 0.3], 0).value
    got = gradgen.grad(function)(x, 0.3)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def adds_in_the_order_of_a_set(x):
    out = x
    for name in {"a", "b"} - {"c"}:
        out = out * (2.0 if name == "a" else 3.0) + 1.0
    return np.sum(out)


def test_a_loop_over_a_set_has_no_order():
    assert refusal(adds_in_the_order_of_a_set).code == "GG243"

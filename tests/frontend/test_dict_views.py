"""What d.keys(), d.values() and d.items() give is read as Python reads it: live."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 1.2, -0.4, 0.9])


def changed_before_it_comes(x):
    d, s = {"a": x[0], "b": x[1]}, 0.0
    for k, v in d.items():
        d["b"] = x[2] * 3
        s = s + v * v
    return s


def changed_among_values(x):
    d, s = {"a": x[0], "b": x[1]}, 0.0
    for v in d.values():
        d["b"] = s + x[3]
        s = s + v**2
    return s


def changed_in_a_call(x):
    d = {"a": x[0], "b": x[1]}

    def bump(v):
        d["b"] = v * 3
        return v

    return sum(bump(v) ** 2 for v in d.values())


def changed_and_counted(x):
    d, s = {"a": x[0], "b": x[1]}, 0.0
    for i, (k, v) in enumerate(d.items()):
        d["b"] = x[2] * 2
        s = s + v**2 * (i + 1)
    return s


def changed_beside_others(x):
    d, s = dict(a=x[0], b=x[1]), 0.0
    for w, v in zip((1.0, 2.0), d.values()):
        d.update(b=x[2] * w)
        s = s + v**2
    return s


@pytest.mark.parametrize(
    "function",
    [
        changed_before_it_comes,
        changed_among_values,
        changed_in_a_call,
        changed_and_counted,
        changed_beside_others,
    ],
)
def test_a_loop_that_changes_what_comes_later_is_refused(function):
    with pytest.raises(GradgenError, match="GG268"):
        gradgen.grad(function)(X)


def values_under_a_name(x):
    d = {"a": x[0], "b": x[1]}
    v = d.values()
    d["b"] = x[2] ** 2
    return sum(v) * x[0]


def items_under_a_name(x):
    d = {"a": x[0], "b": x[1]}
    it = d.items()
    d["a"] = x[3] ** 2
    return sum(v * v for k, v in it)


def given_to_a_function(x):
    def total(values):
        d["c"] = x[3] * 2
        return sum(values) ** 2

    d = {"a": x[0], "b": x[1]}
    return total(d.values())


def its_own_entry(x):
    d = {"a": x[0], "b": x[1]}
    for k, v in d.items():
        d[k] = v * 2 + x[2]
    return d["a"] * d["b"]


def of_a_list(x):
    d = {"a": x[0], "b": x[1]}
    for v in list(d.values()):
        d["b"] = v * x[2]
    return d["b"] * d["a"]


def of_a_copy(x):
    d, s = {"a": x[0], "b": x[1]}, 0.0
    for k, v in d.copy().items():
        d["b"] = x[2] * 3
        s = s + v * v * d["b"]
    return s


def twice(x):
    d, s = {"a": x[0], "b": x[1]}, 0.0
    for v in d.values():
        s = s + v**2
    d["a"] = x[2]
    for v in d.values():
        s = s * v
    return s


@pytest.mark.parametrize(
    "function",
    [
        values_under_a_name,
        items_under_a_name,
        given_to_a_function,
        its_own_entry,
        of_a_list,
        of_a_copy,
        twice,
    ],
)
def test_a_view_shows_what_the_dictionary_holds(function):
    want = numeric_gradient(function, [X], 0)
    found = gradgen.grad(function)(X)
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)

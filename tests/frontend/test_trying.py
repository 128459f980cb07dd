"""Try blocks: a raise that a handler takes, and what was done before it."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.refusals import refusal

X = np.array([0.5, 0.8, 1.7])


def kept_before_a_key(x):
    s, table = x[0], {}
    try:
        s = s * 2
        s = s + table["a"]
    except KeyError:
        s = s + x[1]
    return s**2


def stored_before_a_key(x):
    y, table = x * 1.0, {}
    try:
        y[0] *= 3.0
        y[1] = table["a"]
    except KeyError:
        y[2] = x[0]
    return np.sum(y**2)


def raised_for_sure(x):
    s = x[0]
    try:
        s = s * 3
        raise ValueError("never mind")
    except (TypeError, ValueError):
        s = s + x[1]
    return s**2


def raised_in_a_round(x):
    s = x[0]
    try:
        for kind in ("a", "b"):
            s = s * 3
            if kind == "b":
                raise ValueError
        s = s * 100
    except ValueError:
        s = s + x[1]
    return s**2


def power(kind, v):
    if kind != "a":
        raise KeyError(kind)
    return v**3


def raised_in_a_call(x):
    s = x[0]
    try:
        s = s * power("a", x[1])
        s = s * power("b", x[2])
    except KeyError:
        s = s + x[1]
    return s**2


def in_each_round(x):
    s = x[0]
    for v in x:
        try:
            s = s * power("b", v)
        except LookupError:
            s = s + v**2
    return s


def taken_by_the_outer(x):
    s = x[0]
    try:
        try:
            s = s * power("b", s * 2)
        except IndexError:
            s = s * 9
        s = s * 1000
    except KeyError:
        s = s * x[1]
    return s


def taken_by_the_inner(x):
    s = x[0]
    try:
        try:
            s = s * power("b", s * 2)
        except KeyError:
            s = s * 9
        s = s * x[2]
    except KeyError:
        s = s * x[1]
    return s


def suppressed(x):
    s = x[0]
    with suppress(KeyError):
        s = s * 2
        s = s * power("b", s)
    return s**2


def asserted(x, n=3):
    s = x[0]
    try:
        assert n == 2
        s = s * 7
    except AssertionError:
        s = s * x[1]
    return s


class Unknown(Exception):
    pass


def of_a_class_of_its_own(x, kind="a"):
    s = x[0]
    try:
        if kind == "a":
            raise Unknown(kind)
        s = s * 2
    except Unknown:
        s = s * x[1]
    finally:
        s = s * 3
    return s


class Told(Exception):
    """Its text is made of what it is raised with."""

    def __init__(self, value, place):
        self.value, self.place = value, place

    def __str__(self):
        return f"{self.value!r} at {self.place}"


def known_sort(v, kind):
    if kind == "a":
        raise Told(kind, 0)
    return 2 * v


def of_a_class_with_a_text(x, kind="a"):
    try:
        s = known_sort(x[0], kind)
    except Told:
        s = x[0] * x[1]
    return s**2


def raised_again(x):
    s = x[0]
    try:
        if s < -9:
            raise ValueError("small")
        s = s * 7
    except ValueError as error:
        raise RuntimeError("small") from error
    return s**2


RIGHT = [
    *(kept_before_a_key, stored_before_a_key, raised_for_sure, raised_in_a_round),
    *(raised_in_a_call, in_each_round, taken_by_the_outer, taken_by_the_inner),
    *(suppressed, asserted, of_a_class_of_its_own, raised_again),
    of_a_class_with_a_text,
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_the_handler_goes_on_with_what_was_done(function):
    want = numeric_gradient(function, [X], 0).value
    value, got = gradgen.value_and_grad(function)(X)
    np.testing.assert_allclose(value, function(X), rtol=1e-12)
    assert got.shape == X.shape and got.dtype == np.float64
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def by_an_entry(x):
    s = x[0]
    try:
        for v in x:
            s = s + v
            if v > 0.6:
                raise ValueError
    except ValueError:
        s = s * 2
    return s


def small(v):
    if v > 0.6:
        raise ValueError("large")
    return v


def by_an_entry_in_a_call(x):
    try:
        return small(x[1])
    except Exception:
        return x[0] ** 2


def entries(x):
    for v in x:
        yield v


def in_a_loop_over_a_generator(x):
    s = x[0]
    try:
        for v in entries(x):
            if v > 0.6:
                raise IndexError
            s = s * v
    except LookupError:
        s = s + 1.0
    return s


def in_a_while_loop(x):
    s, i = x[0], 0
    try:
        while True:
            s = s + x[i]
            if x[i] > 0.6:
                raise StopIteration
            i += 1
    except StopIteration:
        pass
    return s * 2


def suppressed_by_an_entry(x):
    s = x[0]
    with suppress(TypeError, ValueError):
        if s > 0.1:
            raise ValueError
        s = s * 3
    return s


def asserted_of_an_entry(x):
    s = x[0]
    try:
        assert s > 0.6
        s = s * 3
    except AssertionError:
        s = s * x[1]
    return s


REFUSED = [
    *(by_an_entry, by_an_entry_in_a_call, in_a_loop_over_a_generator),
    *(in_a_while_loop, suppressed_by_an_entry, asserted_of_an_entry),
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_a_raise_that_a_test_decides_on_is_refused(function):
    error = refusal(function)
    assert error.code == "GG113" and "a handler goes on" in str(error)
    assert error.advice == "if and else, in the place of raise and except"


def by_an_entry_rewritten(x):
    s = x[0]
    for v in x:
        s = s + v
        if v > 0.6:
            s = s * 2
            break
    return s


def test_the_rewrite_is_right():
    want = numeric_gradient(by_an_entry, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(by_an_entry_rewritten)(X), want, rtol=1e-7)

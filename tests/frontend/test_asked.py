"""Truth, equality and sequences of instances, which Python and NumPy ask for."""

from __future__ import annotations

import functools
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, 0.8, 1.7])


class Plain:
    def __init__(self, a):
        self.a = a


class Truthful(Plain):
    def __bool__(self):
        return bool(self.a > 1)


class Sized(Plain):
    def __len__(self):
        return len(self.a)


class Scaled(Plain):
    def __rmul__(self, other):
        return Scaled(self.a * 5 * other)


class Listed(Scaled):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return (self.a, self.a * 2)[i]


class Alone(Scaled):
    __array_ufunc__ = None


class Cut(Plain):
    def __getitem__(self, i):
        if isinstance(i, slice):
            return Cut(self.a[i.start : i.stop])
        if isinstance(i, tuple):
            return self.a[i[0]] * i[1]
        return self.a[i]

    def __delitem__(self, i):
        self.a[i] = 0.0


Pair = namedtuple("Pair", "a b")


def same(x):
    n = Plain(x[0])
    m = n
    return x[0] if n == m else x[1]


def another(x):
    return x[0] if Plain(x[0]) != Plain(x[0]) else x[1]


def no_none(x):
    n = Plain(x[0])
    return x[0] if n == None or n == 2.0 else x[1]  # noqa: E711


def among(x):
    n, m = Plain(x[0]), Plain(x[0])
    return x[0] * (n in [n, m]) + x[1] * (n in [m])


def always_true(x):
    n = SimpleNamespace(a=x[0])
    if not n:
        return x[1]
    return (n.a * x[2]) if n and x[0] > 0.1 else x[1]


def by_bool(x):
    n, m = Truthful(x[0]), Truthful(x[2])
    return (x[0] if n else x[1]) * (x[2] if not m else x[0]) * bool(m)


def by_length(x):
    return x[0] if Sized(x) and not Sized(x[:0]) else x[1]


def one_or_another(x):
    n = Sized(x)
    m = Sized(x[:0]) and n
    return x[0] * len(m) + x[1] * len(n or m)


def while_true(x):
    left, total = Truthful(3.0), 0.0
    while left:
        total = total + left.a * x[1] ** 2
        left = Truthful(left.a - 1)
    return total


def number_on_the_left(x):
    a, b = x[0] * Scaled(x[1]), 2.0 * Listed(x[1])
    return a.a + b.a


def array_left_to_the_class(x):
    y = x * Alone(x)
    return np.sum(y.a**2)


def slices(x):
    g = Cut(x)
    return g[1:][0] * g[2, 3] + g[-1] * g[:2][0]


def record_as_a_sequence(x):
    return np.sum(np.array(Pair(x[0], x[1] ** 2)) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        *(same, another, no_none, among, always_true, by_bool, by_length),
        *(one_or_another, number_on_the_left, array_left_to_the_class, slices),
    ],
)
def test_what_is_asked_of_an_instance(f):
    want = numeric_gradient(f, [X], 0)
    found = gradgen.grad(f)(X)
    assert found.shape == X.shape and found.dtype == X.dtype
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)


class Cached(Plain):
    @functools.cached_property
    def squared(self):
        return self.a**2


def cached_once(x):
    c = Cached(x[0])
    first = c.squared * c.squared
    c.a = x[1]
    return first * c.squared


def length_of_one_or_another(x):
    n, m = Sized(x), Sized(x[:0])
    return x[1] * len(n or m) + x[0] * len(m or n)


@pytest.mark.parametrize(
    "f", [cached_once, length_of_one_or_another, record_as_a_sequence]
)
def test_lengths_and_cached_properties(f):
    want = numeric_gradient(f, [X], 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-8)


class Parted(Plain):
    def __divmod__(self, other):
        return self.a * 2, other

    def __reversed__(self):
        return iter([self.a, self.a**2])

    def __iter__(self):
        return iter([self.a**3, self.a])


def own_divmod(x):
    a, b = divmod(Parted(x[0]), x[1])
    return a * b


def own_reversed(x):
    return sum(v * (i + 1) for i, v in enumerate(reversed(Parted(x[0]))))


def without_a_length(x):
    return len(Plain(x[0])) * x[0]


@pytest.mark.parametrize("f", [own_divmod, own_reversed, without_a_length])
def test_ways_of_its_own_are_refused(f):
    with pytest.raises(GradgenError, match="GG243"):
        gradgen.grad(f)(X)


def entries_first(x):
    return sum(one.a for one in x * Scaled(x[0]))


def entries_first_in_place(x):
    y = x * 1.0
    y *= Alone(x)
    return y


def items_first(x):
    return np.sum(x[0] * Listed(x[1]))


def items_first_in_place(x):
    y = x[0]
    y *= Listed(x[1])
    return np.sum(y)


def summed(x):
    return np.sum(Listed(x[1]))


def made_an_array(x):
    return np.sum(np.array(Listed(x[1])) ** 2)


def inside_a_list(x):
    return np.sum(np.stack([Listed(x[1]), Listed(x[0])]))


def beside_an_array(x):
    return np.multiply(Listed(x[1]), x[:2]).sum()


def equal_namespaces(x):
    return x[0] if SimpleNamespace(a=2.0) == SimpleNamespace(a=2.0) else x[1]


def deleted(x):
    g = Cut(x * 1.0)
    del g[0]
    return np.sum(g.a)


@pytest.mark.parametrize(
    "f, code",
    [
        (entries_first, "GG243"),
        (entries_first_in_place, "GG243"),
        (items_first, "GG243"),
        (items_first_in_place, "GG243"),
        (summed, "GG214"),
        (made_an_array, "GG214"),
        (inside_a_list, "GG214"),
        (beside_an_array, "GG214"),
        (equal_namespaces, "GG243"),
        (deleted, "GG113"),
    ],
)
def test_what_numpy_decides_is_refused(f, code):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(f)(X)
    assert code in str(caught.value)

"""Iterators that have a name, and are gone through in one place: zip, map, generators."""

import itertools
import operator
from itertools import accumulate, chain

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare

CASH, RATES = np.array([1.0, 2.0, 3.5]), np.array([0.3, 0.4, 0.5])


def accumulated(c, r):
    factors = accumulate([1 / (1 + v) for v in r], operator.mul)
    return sum(a * f for a, f in zip(c, factors))


def by_a_lambda(c, r):
    factors = itertools.accumulate((1 / (1 + v) for v in r), lambda a, b: a * b)
    total = 0.0
    for a, f in zip(c, factors):
        total += a * f
    return total


def zipped(c, r):
    pairs = zip(c, r)
    scale = c[0] * 2
    return scale * sum(a * b for a, b in pairs)


def mapped(c, r):
    squares = map(lambda v: v**2, c)
    return sum(squares) * r[0]


def generated(c, r):
    squares = (v * v for v in c)
    return sum(squares) * r[1]


def largest(c, r):
    steps = (b - a for a, b in zip(c, c[1:]))
    return max(steps) * r[1]


def numbered(c, r):
    pairs = enumerate(c)
    total = 0.0
    for i, v in pairs:
        total += (i + 1) * v**2 * r[0]
    return total


def in_a_loop(c, r):
    total = 0.0
    for k in r:
        steps = zip(c, c[1:])
        total += sum((b - a) * (b + k) for a, b in steps)
    return total


def flattened(c, r):
    every = chain.from_iterable(zip(c, r))
    return sum(v**2 for v in every)


def of_two(c, r):
    return sum(np.exp(-v) for v in chain.from_iterable([c, r]))


def of_rows(c, r):
    rows = np.outer(c, r)
    total = 0.0
    for v in itertools.chain.from_iterable(rows):
        total += v**2
    return total


PLACED = [accumulated, by_a_lambda, zipped, mapped, generated, largest, numbered]


@pytest.mark.parametrize("f", [*PLACED, in_a_loop, flattened, of_two, of_rows])
@pytest.mark.parametrize("wrt", [0, 1])
def test_an_iterator_is_read_where_it_is_gone_through(f, wrt):
    compare(f, (CASH, RATES), wrt)


@pytest.mark.parametrize("f", [accumulated, zipped, flattened])
def test_lists_of_numbers(f):
    want = gradgen.grad(f)(CASH, RATES)
    found = gradgen.grad(f)(CASH.tolist(), RATES.tolist())
    np.testing.assert_allclose(found, want, rtol=1e-12)


def changed_between(c, r):
    pairs = zip(c, r)
    c = [v * 2 for v in c]
    return sum(a * b for a, b in pairs) + c[0]


def gone_through_once(c, r):
    squares = (v * v for v in c)
    total = 0.0
    for _ in range(2):
        for v in squares:
            total += v
    return total


def in_a_function(c, r):
    squares = (v * v for v in c)
    twice = lambda: sum(squares)
    return twice() + twice()


def longer_between(c, r):
    c = list(c)
    squares = (v * v for v in c)
    c.append(3.0)
    return sum(squares)


def changed_before_it(c, r):
    c = list(c)
    squares = (v * v for v in c)
    return c.pop() + sum(squares)


def in_each_item(c, r):
    pairs = zip(c, r)
    return [sum(a * b for a, b in pairs) for _ in range(2)][1]


def read_twice(c, r):
    squares = (v * v for v in c)
    same = squares
    return sum(same) + sum(squares)


def another_factor(c, r):
    k = 2.0
    scaled = (k * v for v in c)
    k = 3.0
    return sum(scaled)


def doubled(a):
    a *= 2.0
    return a.sum()


def changed_by_a_call(c, r):
    v = c * 1.0
    pairs = zip(v + 0.0, r)
    y = doubled(v)
    return sum(a * b for a, b in pairs) * y


def changed_ahead_in_its_line(c, r):
    v = c * 1.0
    pairs = zip(v.copy(), r)
    return doubled(v) * sum(a * b for a, b in pairs)


def changed_by_out(c, r):
    v = c * 1.0
    products = map(operator.mul, v.copy(), r)
    y = np.multiply(v, 3.0, out=v)
    return sum(products) + y.sum()


CALLED = [changed_by_a_call, changed_ahead_in_its_line, changed_by_out]
MOVED = [changed_between, gone_through_once, in_a_function, longer_between, *CALLED]


@pytest.mark.parametrize(
    "f", [*MOVED, changed_before_it, in_each_item, read_twice, another_factor]
)
def test_what_would_read_something_else_is_refused(f):
    with pytest.raises(GradgenError, match="GG205|GG268"):
        gradgen.grad(f)(CASH, RATES)

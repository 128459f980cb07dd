"""map over what is computed as it is gone through: its steps and calls alternate."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def over_a_generator(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, (g(v) for v in (1, 2, 3))))


def over_a_map(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, map(g, (1, 2, 3))))


def over_two_functions(x):
    y = x * 1.0

    def g(v):
        return v * y[0]

    def h(v):
        y[0] *= 1.1
        return v * 0.5

    return sum(map(g, (h(v) for v in (1, 2, 3))))


def over_two_generators(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(lambda p, q: p * q, (g(v) for v in (1, 2)), (g(v) for v in (1, 2))))


def pure(x):
    y = x * 1.0

    def g(v):
        return v * 0.5 + y[0] ** 2

    return sum(map(g, (v * y[1] for v in (1, 2, 3))))


def changed_by_the_function_alone(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, (v * 2 for v in (1, 2, 3))))


def over_rows_of_zip(x):
    y = x * 1.0

    def g(v, w=1.0):
        y[0] *= 1.5
        return v * 0.5 + y[0] * w

    return sum(itertools.starmap(g, zip(map(g, (1, 2)), (3, 4))))


def by_accumulation(x):
    y = x * 1.0

    def g(v, w=1.0):
        y[0] *= 1.5
        return v * 0.5 + y[0] * w

    return sum(itertools.accumulate((g(v) for v in (1, 2, 3)), g))


def largest_by_key(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return max(map(g, (1, 2, 3)), key=g)


def kept_by_filter(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    def h(v):
        y[0] *= 1.1
        return True

    return sum(filter(h, map(g, (1, 2, 3))))


def cut_off_by_a_shorter_row(x):
    y = x * 1.0

    def g(v):
        y[1] = y[1] + 0.25
        return v * y[1]

    return dict(zip((0, 1), map(g, (1, 2, 3))))[1]


def of_lists(x):
    y = x * 1.0

    def g(v, w=1.0):
        y[0] *= 1.5
        return v * 0.5 + y[0] * w

    back = sum(map(g, reversed([g(1), g(2)])))
    best = max(list(map(g, (1.0, 2.0))), key=g)
    return back + best


@pytest.mark.parametrize(
    "f",
    [
        over_a_generator,
        over_a_map,
        over_two_functions,
        over_two_generators,
        over_rows_of_zip,
        by_accumulation,
        largest_by_key,
        kept_by_filter,
        cut_off_by_a_shorter_row,
    ],
)
def test_what_alternates_is_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(np.array([1.0, 2.0]))
    assert caught.value.code == "GG268"


@pytest.mark.parametrize("f", [pure, changed_by_the_function_alone, of_lists])
def test_what_does_not_alternate_is_taken(f):
    x = np.array([1.0, 2.0])
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), wanted, rtol=1e-6)

"""x.sort() and sorted(x) of lists: those of known items, and those that a loop fills."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.measured import at_three_points, is_right


def in_place(x):
    items = [v * v for v in x]
    items.sort()
    return items[0] + 2 * items[1] ** 2


def backwards(x):
    items = []
    for v in x:
        items.append(v * v)
    other = items
    items.sort(reverse=True)
    return other[0] + 2 * items[1] ** 2


def by_a_key(x):
    items = list(x)
    items.sort(key=lambda v: -v * v)
    return items[0] + 2 * items[1] ** 2


def known_items(x):
    items = [x[0], x[1] * x[2], x[2]]
    items.sort()
    return items[0] + 2 * items[1] ** 2


def as_another(x):
    items = [v * v for v in x]
    last = sorted(items)
    items.append(last[0])
    return items[0] * last[1] + sorted(items, reverse=True)[0]


def and_then_reversed(x):
    items = [v * v for v in x]
    items.sort()
    items.reverse()
    first, *others = items
    return first * others[0] + sum(others)


@at_three_points
@pytest.mark.parametrize(
    "function",
    [in_place, backwards, by_a_key, known_items, as_another, and_then_reversed],
)
def test_in_order(function, x):
    is_right(function, x)


@pytest.mark.parametrize("function", [in_place, by_a_key, as_another])
def test_the_text_alone(function):
    x = np.array([0.7, 0.4, 1.3])
    names = {}
    exec(gradgen.emit(function), names)
    got = names[f"grad_{function.__name__}"](x)
    want = numeric_gradient(function, [x], 0).value
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def test_lists_of_arrays_raise_as_they_do():
    def f(x):
        items = [x * t for t in range(len(x))]
        items.sort()
        return items[0][0]

    with pytest.raises(ValueError):
        gradgen.grad(f)(np.ones(3))

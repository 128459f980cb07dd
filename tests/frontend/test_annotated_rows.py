"""Arguments that are annotated as lists of rows of numbers, and of which lists come."""

from typing import List, Sequence, Tuple

import math

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def unpacked(points: Sequence[Sequence[float]], k: float):
    total = 0.0
    for i in range(len(points)):
        x, y = points[i]
        total = total + k * math.hypot(x, y)
    return total


def by_entries(points: List[Tuple[float, float]], k: float):
    total = 0.0
    for i in range(len(points)):
        x, y = points[i]
        for j in range(len(points)):
            if i != j:
                total += k / (1.0 + (points[j][0] - x) ** 2 + (points[j][1] - y) ** 2)
    return total


def of_two(points: "list[list[float]]", speeds: "list[list[float]]", k: float):
    new = []
    for i in range(len(points)):
        x, y = points[i]
        u, v = speeds[i]
        new.append([x + k * u, y * v])
    return new


POINTS, SPEEDS = (
    [[0.5, 1.0], [1.5, -0.5], [0.3, 0.2]],
    [[1.0, 2.0], [0.4, 0.6], [3.0, 1.0]],
)
CASES = [(unpacked, (POINTS, 1.5)), (by_entries, (POINTS, 1.5))]
CASES += [(of_two, (POINTS, SPEEDS, 1.5))]


@pytest.mark.parametrize("f, args", CASES)
@pytest.mark.parametrize("kind", [list, tuple, np.array])
@pytest.mark.parametrize("by_example", [False, True])
def test_lists_of_rows(f, args, kind, by_example):
    if kind is tuple:
        kind = lambda rows: [tuple(row) for row in rows]
    given = tuple(kind(one) if isinstance(one, list) else one for one in args)
    text = gradgen.emit(f, wrt="points", **({"example": args} if by_example else {}))
    space = {}
    exec(text, space)
    weights = np.arange(1.0, 7.0).reshape(3, 2)
    rows = lambda p: [list(map(float, row)) for row in p]
    weigh = lambda p: np.sum(weights * np.array(f(rows(p), *args[1:])))
    if f is of_two:
        found = space["grad_of_two"](*given, weights.tolist())
    else:
        found = space[f"grad_{f.__name__}"](*given)
        weigh = lambda p: f(rows(p), *args[1:])
    want = numeric_gradient(weigh, (np.array(POINTS),), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def test_rows_that_are_computed_with_are_arrays():
    def f(points: Sequence[Sequence[float]], k: float):
        total = 0.0
        for i in range(len(points)):
            x, y = 2 * points[i]
            total = total + k * x * y
        return total

    text = gradgen.emit(f, wrt="points")
    space = {}
    exec(text, space)
    with pytest.raises((ValueError, TypeError)):
        space["grad_f"](POINTS, 1.5)  # of lists twice as many entries

"""What a call of a derivative adds to the call of its emitted function, nothing told.

The unit is np.add(x, x) of 8 entries, measured in the same run: the least that a
NumPy program does.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import gradgen

COUNTS = (1, 2, 4, 8)
ROUNDS, CALLS = 150, 100


def one(a):
    return np.sum(a * a)


def two(a, b):
    return np.sum(a * b)


def four(a, b, c, d):
    return np.sum(a * b + c * d)


def eight(a, b, c, d, e, f, g, h):
    return np.sum(a * b + c * d + e * f + g * h)


FUNCTIONS = dict(zip(COUNTS, (one, two, four, eight)))


def seconds(*runs: Callable[[], object]) -> list[float]:
    """The time of one call of each: the least over rounds, in which all take turns.

    What else the machine does makes a round longer, and none shorter.
    """
    found: list[list[float]] = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, times in zip(runs, found):
            start = time.perf_counter()
            for _ in range(CALLS):
                run()
            times.append((time.perf_counter() - start) / CALLS)
    return [min(times) for times in found]


# the makers, and how many tangents their functions take behind the arguments
MAKERS = {
    "grad": 0,
    "value_and_grad": 0,
    "vjp": 0,
    "jvp": 1,
    "hvp": 1,
    "jacobian": 0,
    "hessian": 0,
}


def rows() -> list[list[str]]:
    """For each maker and number of arguments: both calls, and what the outer one adds."""
    x = np.linspace(0.1, 0.8, 8)
    table = [["maker", "arguments", "emitted us", "called us", "units added"]]
    for maker, tangents in MAKERS.items():
        for count, function in FUNCTIONS.items():
            args = [x + k for k in range(count)] + [x] * tangents
            derivative = getattr(gradgen, maker)(function)
            for _ in range(3):
                derivative(*args)
            emitted = derivative.function
            unit, own, whole = seconds(
                lambda: np.add(x, x),
                lambda: emitted(*args),
                lambda: derivative(*args),
            )
            added = (whole - own) / unit
            shown = f"{own * 1e6:.2f}", f"{whole * 1e6:.2f}", f"{added:.2f}"
            table.append([maker, str(count), *shown])
    return table

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
ROUNDS, CALLS = 15, 2000


def one(a):
    return np.sum(a * a)


def two(a, b):
    return np.sum(a * b)


def four(a, b, c, d):
    return np.sum(a * b + c * d)


def eight(a, b, c, d, e, f, g, h):
    return np.sum(a * b + c * d + e * f + g * h)


FUNCTIONS = dict(zip(COUNTS, (one, two, four, eight)))


def seconds(run: Callable[[], object]) -> float:
    """The time of one call: the median over rounds."""
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            run()
        found.append((time.perf_counter() - start) / CALLS)
    return float(np.median(found))


def rows() -> list[list[str]]:
    """For each number of arguments: the emitted function, the call, and what it adds."""
    x = np.linspace(0.1, 0.8, 8)
    table = [["arguments", "emitted us", "called us", "units added"]]
    for count, function in FUNCTIONS.items():
        args = [x + k for k in range(count)]
        derivative = gradgen.grad(function)
        for _ in range(3):
            derivative(*args)
        emitted = derivative.function
        unit = seconds(lambda: np.add(x, x))
        own = seconds(lambda: emitted(*args))
        whole = seconds(lambda: derivative(*args))
        added = (whole - own) / unit
        table.append(
            [str(count), f"{own * 1e6:.2f}", f"{whole * 1e6:.2f}", f"{added:.2f}"]
        )
    return table

"""CPU seconds per call of several functions on the same arguments, taken in turns."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterable
from itertools import repeat


def seconds_of(function: Callable, args: tuple, count: int) -> float:
    """CPU time of `count` calls."""
    start = time.process_time()
    for _ in repeat(None, count):
        function(*args)
    return time.process_time() - start


def calibrated(function: Callable, args: tuple, seconds: float) -> int:
    """How many calls it takes to fill `seconds`, at least 1. Also the warm-up."""
    count = 1
    while (taken := seconds_of(function, args, count)) < seconds / 2:
        count *= 2
    return max(1, round(count * seconds / taken))


def interleaved(
    functions: dict[str, Callable],
    args: tuple,
    rounds: int,
    seconds: float,
) -> dict[str, float]:
    """Median CPU seconds per call of each function over many rounds.

    Every round times each function once, in a block of calls of about `seconds`, so
    that a change of clock speed or of load meets all of them alike. A block also
    inherits caches and a heap from the one before it: so the order is a new one each
    round, and one call goes before the clock starts. Without the two, a function
    that is timed against itself comes out up to a tenth slower.
    """
    counts = {
        name: calibrated(function, args, seconds)
        for name, function in functions.items()
    }
    samples = {name: [] for name in functions}
    order = list(functions)
    shuffle = random.Random(0).shuffle
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            shuffle(order)
            for name in order:
                functions[name](*args)
                taken = seconds_of(functions[name], args, counts[name])
                samples[name].append(taken / counts[name])
    finally:
        if collecting:
            gc.enable()
    return {name: statistics.median(taken) for name, taken in samples.items()}


def geometric_mean(ratios: Iterable[float]) -> float:
    """Geometric mean, nan of nothing."""
    ratios = list(ratios)
    return statistics.geometric_mean(ratios) if ratios else float("nan")

"""Peak memory of a gradient that keeps values, and of one that keeps the state."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from examples.dynamics import rk4_lotka_volterra

WRT = ("x", "y", "a", "b", "c", "d")
SHAPES = {"x": "n", "y": "n", "a": "", "b": "", "c": "", "d": "", "dt": ""}
ENTRIES = 100_000
STEPS = (5, 20, 100)


def peaks(steps: int, entries: int = ENTRIES) -> dict[str, tuple[int, float]]:
    """Peak bytes that a call allocates, and its CPU seconds, for each `save`."""
    import gradgen

    x, y = np.random.default_rng(0).uniform(0.5, 1.5, (2, entries))
    found = {}
    for save in ("values", "state"):
        made = gradgen.grad(rk4_lotka_volterra, wrt=WRT, shapes=SHAPES, save=save)
        arguments = (x, y, 0.9, 0.5, 1.1, 0.4, 0.01, steps)
        tracemalloc.start()
        made.function(*arguments)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        start = time.process_time()
        made.function(*arguments)
        found[save] = peak, time.process_time() - start
    return found

"""Gradients through the library with nothing told, over the hand-written ones.

Beside them the text that all shapes were told for: what is between the two columns is
the call, and what a text of the arguments at hand does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bench.report import conditions, figure
from bench.rows import agree, generated
from bench.timing import interleaved
from bench.workload import Workload

# the difference of the two columns that is allowed
GOAL = 0.03


def called(workload: Workload, args: tuple) -> Callable:
    """The derivative as a user makes it, once it was called a few times."""
    import gradgen

    wrt = workload.wrt if len(workload.wrt) > 1 else workload.wrt[0]
    made = gradgen.value_and_grad(workload.primal, wrt=wrt, **workload.options)
    for _ in range(3):
        made(*args)
    return made


def row(workload: Workload, size: str, rounds: int, seconds: float) -> list[str]:
    """One line: the told text and the call over the hand-written gradient."""
    args = workload.inputs(size, np.random.default_rng(0))
    functions = {
        "hand": workload.hand,
        "told": generated(workload),
        "called": called(workload, args),
    }
    expected = workload.hand(*args)
    for name, function in functions.items():
        agree(f"{workload.name} {size}: {name}", workload, function, args, expected)
    found = interleaved(functions, args, rounds, seconds)
    told, own = found["told"] / found["hand"], found["called"] / found["hand"]
    added = (found["called"] - found["told"]) * 1e6
    ratios = figure(told), figure(own), figure(own - told), f"{added:.2f}"
    return [workload.name, size, f"{found['hand'] * 1e6:.1f}", *ratios]


def table(
    workloads: Sequence[Workload], sizes: Sequence[str], rounds: int, seconds: float
) -> tuple[list[list[str]], str]:
    """The lines of all rows, and under what they were measured."""
    titles = ["told/hand", "called/hand", "difference", "us more"]
    lines = [["workload", "size", "hand us", *titles]]
    for workload in workloads:
        lines += [row(workload, size, rounds, seconds) for size in sizes]
    over = [line for line in lines[1:] if float(line[5]) > GOAL]
    said = f"{len(over)} of {len(lines) - 1} rows differ by more than {GOAL}"
    return lines, f"{said}\n{conditions()}"

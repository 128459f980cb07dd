"""One row of the benchmark: gradients that agree, then the time each of them takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench import tape, tuned
from bench.timing import interleaved
from bench.workload import Workload

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Row:
    """Median CPU seconds per call of the primal and of each gradient."""

    workload: str
    size: str
    lengths: dict[str, int]
    seconds: dict[str, float]

    def ratio(self, name: str, to: str) -> float | None:
        """How many times the seconds of `to`; None when one was not measured."""
        if name not in self.seconds or to not in self.seconds:
            return None
        return self.seconds[name] / self.seconds[to]


def generated(workload: Workload, **options: bool) -> Callable:
    """The gradient that gradgen writes for a workload."""
    import gradgen

    wrt = workload.wrt if len(workload.wrt) > 1 else workload.wrt[0]
    made = gradgen.value_and_grad(
        workload.primal, wrt=wrt, shapes=workload.facts, **workload.options, **options
    )
    return made.function  # the emitted text itself


def candidates(workload: Workload) -> dict[str, Callable]:
    """Every value-and-gradient function of a workload, under its column's name."""
    functions = {"generated": generated(workload), "hand": workload.hand}
    functions["fast"] = generated(workload, fast=True)
    if hasattr(tuned, workload.name):
        functions["tuned"] = getattr(tuned, workload.name)
    by_tape = tape.value_and_grad(workload)
    if by_tape is not None:
        functions["autograd"] = by_tape
    return functions


def measured(
    workload: Workload,
    functions: dict[str, Callable],
    size: str,
    rounds: int,
    seconds: float,
) -> Row:
    """A row, once all functions agree with the primal and with the hand-written one."""
    args = workload.inputs(size, np.random.default_rng(0))
    expected = workload.hand(*args)
    for name, function in functions.items():
        agree(f"{workload.name} {size}: {name}", workload, function, args, expected)
    medians = interleaved({"primal": workload.pure, **functions}, args, rounds, seconds)
    return Row(workload.name, size, workload.sizes[size], medians)


def agree(
    label: str,
    workload: Workload,
    function: Callable,
    args: tuple,
    expected: tuple,
) -> None:
    """Raise AssertionError unless value and gradients are those expected.

    A difference counts relative to the largest entry of the gradient it is in.
    """
    value, gradients = function(*args)
    true_value = workload.pure(*args)
    if not abs(value - true_value) <= TOLERANCE * max(1, abs(true_value)):
        raise AssertionError(f"{label}: value {value}, the primal gives {true_value}")
    pairs = zip(bundle(gradients), bundle(expected[1]), strict=True)
    for name, (found, wanted) in zip(workload.wrt, pairs, strict=True):
        if np.shape(found) != np.shape(wanted):
            shapes = f"{np.shape(found)}, hand-written {np.shape(wanted)}"
            raise AssertionError(f"{label}: gradient of {name} has shape {shapes}")
        error = np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))
        if not error <= TOLERANCE:
            raise AssertionError(f"{label}: gradient of {name} is off by {error:.1e}")


def bundle(gradients) -> tuple:
    """Gradients as a tuple, also a single bare one."""
    return tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)

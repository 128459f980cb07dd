"""One request, and the truth about it: measured gradients, no compiler involved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradgen.verify.finite import Estimate
from tests.fuzz.facts import chosen, facts
from tests.fuzz.program import SAMPLES, Program

RTOL = 1e-6  # of the gradient's largest entry
ATOL = 1e-8  # values are below 1e3: what is measured is off by 1e-9 at most


@dataclass(frozen=True)
class Case:
    """One request: a program, what is told of its shapes, and what is asked."""

    program: Program
    shapes: dict[str, str]
    wrt: str | tuple[str, ...]
    complete: bool = False  # shapes say everything: helpers are not allowed
    level: str = "full"
    narrow: bool = False  # float32 is well conditioned: its values are compared too
    keep_calls: bool = False  # the program's helpers stay calls
    save: str = "values"  # what loops keep

    @property
    def names(self) -> tuple[str, ...]:
        return (self.wrt,) if isinstance(self.wrt, str) else self.wrt


def case_of(program: Program, level: str) -> Case:
    wrt = chosen(program, level)
    return Case(program, facts(program, level), wrt, level == "full", level)


class Truth:
    """Results and measured gradients of a program, each computed once."""

    def __init__(self, program: Program):
        self.program = program
        self.gradients: dict = {}

    def seed(self, sample: int, dtype=np.float64):
        """A number for a scalar result, else a random array of its shape."""
        args = self.program.arguments(sample, dtype)
        shape = np.shape(self.program.function(*args))
        if not shape:
            return 1.0 if sample == 0 else -0.75
        rng = np.random.default_rng([self.program.seed, sample])
        return rng.uniform(0.5, 1.5, shape).astype(dtype)

    def gradient(self, sample: int, name: str) -> Estimate:
        if (sample, name) not in self.gradients:
            names = [param.name for param in self.program.params]
            seed = self.seed(sample)
            found = self.program.measured(sample, names.index(name), seed)
            self.gradients[sample, name] = found
        return self.gradients[sample, name]

    def measures(self, names: tuple[str, ...]) -> bool:
        """Whether every gradient asked for is known well enough to judge by."""
        found = [self.gradient(k, name) for k in SAMPLES for name in names]
        return all(np.all(e.error <= tolerance(e.value) / 4) for e in found)


def tolerance(want) -> float:
    return RTOL * np.max(np.abs(want), initial=0.0) + ATOL

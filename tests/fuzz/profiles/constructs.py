"""One construct, nested or repeated many times: time in proportion, and right numbers.

What `growth` mixes in a long program stands alone here (`tests/growth/constructs.py`),
at sizes up to 96, with facts of shapes and with nothing told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.judge import Fault, Verdict, examine_within
from tests.fuzz.program import FIRST_SIZES, OTHER_SIZES, Parameter, Program, run
from tests.growth.constructs import CONSTRUCTS, HEADS

PROGRAMS = 5
REFUSED_AT_MOST = 0.2  # np.hstack of arrays of unknown rank
# Seconds of the processor for each unit of the size: generous, for slow machines.
SECONDS = 0.06
LARGE = 48  # only sizes above this are held against the clock


@dataclass(frozen=True)
class Repeated(Program):
    """A program of one construct."""

    construct: str = ""
    size: int = 0

    @property
    def source(self) -> str:
        before, after = super().source.split("\n\n\n", 1)
        return f"{before}\n\n\n{HEADS.get(self.construct, '')}{after}"


def program(seed: int) -> Repeated | None:
    """The program of this seed, None where its numbers are no good."""
    rng = Random(f"constructs {seed}")
    names = list(CONSTRUCTS)
    name = names[seed % len(names)]
    size = rng.choice([3, 8, 20, 48, 64, 96])
    lines = tuple(CONSTRUCTS[name](rng, size))
    params = (Parameter("x", ("n",)), Parameter("y", ("n",)), Parameter("k", (), "int"))
    sizes = (FIRST_SIZES, OTHER_SIZES[0])
    made = Repeated(params, lines, seed, "program", sizes, name, size)
    if all(run(made.function, made.arguments(i)) is not None for i in (0, 1)):
        return made
    return None


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """One request for each program: with facts, without, or with some options."""
    made = program(seed)
    if made is None:
        return
    level = Random(f"level {seed}").choice(["full", "none"])
    case = replace(case_of(made, level), complete=False)
    truth = Truth(made)
    truth.measures(case.names)
    verdict, taken = examine_within(SECONDS * made.size, case, engine, truth)
    if made.size > LARGE and taken > SECONDS * made.size:
        fault = Fault("too long", f"{taken:.1f} s for {made.construct} of {made.size}")
        verdict.faults.append(fault)
    yield case, verdict

"""Texts that are emitted with nothing told, where an axis has one entry.

The programs are those of the generators, straight and with loops; one of their lengths
is 1, so that NumPy stretches what a text may take for as long as another axis. The text
is right, or it raises and says what it takes its arguments for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth
from tests.fuzz.generate import generate as straight
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.assumed import verdict_on
from tests.fuzz.program import FIRST_SIZES, Program

PROGRAMS = 20
REFUSED_AT_MOST = 0.1
# two points are measured: the same lengths at both
DIFFERENTIABLE = ("array", "float", "numpy")


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    names = tuple(p.name for p in program.params if p.kind in DIFFERENTIABLE)
    case = Case(program, {}, names, level="none")
    yield case, verdict_on(case, engine, Truth(program))


def generate(seed: int) -> Program:
    """The first program of this seed that runs with an axis of one entry."""
    rng = Random(f"single {seed}")
    while True:
        make = rng.choice([straight, straight, imperative])
        program = make(rng.randrange(10**9))
        letters = {dim for p in program.params for dim in p.dims if dim != "1"}
        if not letters:
            continue
        sizes = FIRST_SIZES | {rng.choice(sorted(letters)): 1}
        program = replace(program, sizes=(sizes, sizes))
        if program.fits() and _is_smooth(program):
            return program


def _is_smooth(program: Program) -> bool:
    """Whether nothing stands at a kink: of one entry a deviation is 0, and its root."""
    if any(word in program.source for word in ("std", "norm", "var")):
        return False
    with np.errstate(all="ignore"):
        return bool(np.all(np.isfinite(program.function(*program.arguments(0)))))

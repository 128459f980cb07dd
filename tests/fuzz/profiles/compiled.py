"""Texts for numba of programs with loops, compiled by it where it is installed.

Judged as the profile nests is; without numba the texts run as Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.nests import verdict

PROGRAMS = 1
REFUSED_AT_MOST = 1.0


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = imperative(seed)
    case = case_of(program, "full")
    is_there = find_spec("numba") is not None
    yield case, verdict(case, Truth(program), engine, compiled=is_there)

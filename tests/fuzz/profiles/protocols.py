"""Python's protocols around NumPy: iterators, generators, containers, operators of classes.

Pieces as in the profile `python`, which writes and judges the programs.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python
from tests.fuzz.profiles_protocols import HEAD, PIECES

PROGRAMS = 12
REFUSED_AT_MOST = 1.0  # before the mends


class Writer(python.Writer):
    """Writes one program, at random."""

    head, pieces = HEAD, PIECES


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer)

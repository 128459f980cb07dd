"""What was found of one emitted file."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Verdict:
    """What is wrong with one file; `said` is a line when nothing is.

    `judged` is False where the numbers could not be held against anything.
    """

    path: str
    faults: list[str] = field(default_factory=list)
    said: str = ""
    judged: bool = True

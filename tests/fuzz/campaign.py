"""run(seeds, engine): verdicts on many programs, counted, the failing ones kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.facts import LEVELS
from tests.fuzz.generate import generate
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.reduce import reduced
from tests.fuzz.report import report


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed at each level of facts.

    One level in turn is examined with all companions; the others with the
    gradient alone, because a request costs more than a program.
    """
    program = generate(seed)
    truth = Truth(program)
    for k, level in enumerate(LEVELS):
        case = case_of(program, level)
        yield case, examine(case, engine, truth, companions=seed % len(LEVELS) == k)


@dataclass
class Tally:
    """What came of a campaign: one verdict per program and level of facts."""

    examined: int = 0
    unmeasured: int = 0
    faulty: list[tuple[Case, Verdict]] = field(default_factory=list)
    refused: list[tuple[Case, Verdict]] = field(default_factory=list)

    def add(self, case: Case, verdict: Verdict) -> None:
        self.examined += 1
        self.unmeasured += not verdict.measured
        if verdict.faults:
            self.faulty.append((case, verdict))
        elif verdict.refusal:
            self.refused.append((case, verdict))

    @property
    def line(self) -> str:
        """The summary: every case is in exactly one of its numbers, or is right."""
        internal = sum(broken(verdict) for _, verdict in self.faulty)
        return (
            f"{self.examined} cases: {len(self.faulty) - internal} wrong, "
            f"{internal} internal errors, {len(self.refused)} refused, "
            f"{self.unmeasured} not measurable"
        )

    @property
    def refusals(self) -> str:
        """The refusals' messages without their places, the frequent ones first."""
        first = Counter(first_line(verdict.refusal) for _, verdict in self.refused)
        return "\n".join(f"{n:5d}  {text}" for text, n in first.most_common())


def first_line(refusal: str) -> str:
    """A refusal without file and line, so that equal ones can be counted."""
    line = refusal.splitlines()[0]
    return line[line.find("GG") :] if "GG" in line else line


def broken(verdict: Verdict) -> bool:
    return any(fault.kind == "internal error" for fault in verdict.faults)


def campaign(seeds: Iterable[int], engine) -> Tally:
    tally = Tally()
    for seed in seeds:
        for case, verdict in verdicts(seed, engine):
            tally.add(case, verdict)
    return tally


def smallest(case: Case, verdict: Verdict, engine) -> tuple[Case, Verdict]:
    """The case made as small as it still fails or is refused in the same way."""
    small = reduced(case, lambda smaller: alike(examine(smaller, engine), verdict))
    return (case, verdict) if small == case else (small, examine(small, engine))


def alike(one: Verdict, other: Verdict) -> bool:
    """Whether they share a fault, or the reason of a refusal."""
    if other.faults:
        return one.faults[:1] and one.faults[0].likeness == other.faults[0].likeness
    return one.refusal is not None and first_line(one.refusal) == first_line(
        other.refusal
    )


def explained(case: Case, verdict: Verdict, engine) -> str:
    """The report on a failure, after it was made as small as possible."""
    return report(*smallest(case, verdict, engine), was(case))


def was(case: Case) -> str:
    return f" (of {len(case.program.lines)} lines)"

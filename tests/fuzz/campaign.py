"""run(seeds, engine): verdicts on many programs, counted, the failing ones kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.facts import LEVELS, facts
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.inner import inner
from tests.fuzz.judge import TooLong, Verdict, broken_off, examine, patience
from tests.fuzz.profiles import profiles
from tests.fuzz.pushed import curved, pushed
from tests.fuzz.reduce import reduced
from tests.fuzz.report import report
from tests.fuzz.second import second

LETTERS = ("A", "B", "C", "F", "H", "I")
KINDS = (*LETTERS, *profiles())
CALLED = re.compile(r" \(in \w+, called at .*\)$")


def verdicts(seed: int, engine, kind: str = "B") -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed at each level of facts.

    One level in turn is examined with all companions; the others with the
    gradient alone, because a request costs more than a program. One keeps the
    state of loops rather than values.
    """
    if kind not in LETTERS:
        yield from profiles()[kind].verdicts(seed, engine)
        return
    if kind == "C":
        yield from second_verdict(seed, engine)
        return
    if kind == "I":
        yield from inner_verdicts(seed, engine)
        return
    program = imperative(seed) if kind in "AFH" else generate(seed)
    truth = Truth(program)
    for k, level in enumerate(LEVELS):
        case = case_of(program, level)
        if kind == "F":
            yield case, pushed(case, engine, truth)
            continue
        if kind == "H":
            if seed % len(LEVELS) == k:
                save = "state" if seed // len(LEVELS) % len(LEVELS) == k else "values"
                yield case, curved(replace(case, save=save), engine, truth)
            continue
        if kind == "A":
            save = "state" if seed // len(LEVELS) % len(LEVELS) == k else "values"
            case = replace(case, complete=False, narrow=True, save=save)
        companions = seed % len(LEVELS) == k
        yield case, examine(case, engine, truth, companions)
        if kind == "A" and companions and program.source.count("\ndef ") > 1:
            kept = replace(case, keep_calls=True)
            yield kept, examine(kept, engine, truth)


def inner_verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The gradient of a function that takes the gradient of a program itself."""
    try:
        with patience():
            program = inner(seed, engine)
    except (Exception, TooLong):
        return  # the inner gradient is A's
    if program is None:
        return
    truth = Truth(program)
    for level in ("full", "none"):
        case = replace(case_of(program, level), complete=False)
        yield case, examine(case, engine, truth, companions=False)


def second_verdict(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The gradient of a gradient, in one of its arguments, with all facts."""
    try:
        with patience():
            program = second(seed, engine)
    except (Exception, TooLong) as error:
        base = imperative(seed)
        case = case_of(base, "full")
        if isinstance(error, GradgenError):
            yield case, Verdict(refusal=f"the first gradient: {error}")
        else:
            yield case, Verdict(faults=[broken_off()])
        return
    shapes = facts(program, "full") | {program.seed_name: ""}
    case = replace(case_of(program, "full"), complete=False, shapes=shapes)
    yield case, examine(case, engine, companions=False)


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

    @staticmethod
    def of(parts: Iterable[Tally]) -> Tally:
        """What came of several campaigns together."""
        whole = Tally()
        for part in parts:
            whole.examined += part.examined
            whole.unmeasured += part.unmeasured
            whole.faulty += part.faulty
            whole.refused += part.refused
        return whole

    @property
    def line(self) -> str:
        """The summary: every case is in exactly one of its numbers, or is right."""
        kinds = Counter(sort(verdict) for _, verdict in self.faulty)
        return (
            f"{self.examined} cases: {kinds['wrong']} wrong, "
            f"{kinds['internal error']} internal errors, "
            + (f"{kinds['crash']} crashes, " if kinds["crash"] else "")
            + (f"{kinds['helper']} needless helpers, " if kinds["helper"] else "")
            + f"{len(self.refused)} refused, {self.unmeasured} not measurable"
        )

    @property
    def refusals(self) -> str:
        """The refusals' messages without their places, the frequent ones first."""
        first = Counter(first_line(verdict.refusal) for _, verdict in self.refused)
        return "\n".join(f"{n:5d}  {text}" for text, n in first.most_common())

    @property
    def codes(self) -> str:
        """How many refusals each code has, the frequent ones first."""
        found = [re.search(r"GG\d+", verdict.refusal) for _, verdict in self.refused]
        codes = Counter(match.group() if match else "?" for match in found)
        return ", ".join(f"{code} {n}" for code, n in codes.most_common())

    @property
    def table(self) -> str:
        """The verdicts of each level of facts."""
        rows = [f"{'facts':<6}{'refused':>9}{'wrong':>9}{'internal':>9}{'crash':>9}"]
        for level in LEVELS:
            refused = sum(case.level == level for case, _ in self.refused)
            kinds = Counter(sort(v) for case, v in self.faulty if case.level == level)
            counts = [refused, kinds["wrong"], kinds["internal error"], kinds["crash"]]
            rows.append(f"{level:<6}" + "".join(f"{n:>9}" for n in counts))
        return "\n".join(rows)


def first_line(refusal: str) -> str:
    """A refusal without file and line, so that equal ones can be counted."""
    line = CALLED.sub("", refusal.splitlines()[0])
    return line[line.find("GG") :] if "GG" in line else line


def sort(verdict: Verdict) -> str:
    """What kind of failure a verdict is: the gravest of its faults."""
    kinds = {fault.kind for fault in verdict.faults}
    for kind in ("internal error", "crash"):
        if kind in kinds:
            return kind
    return "helper" if kinds == {"helper"} else "wrong"


def campaign(seeds: Iterable[int], engine, kind: str = "B") -> Tally:
    tally = Tally()
    for seed in seeds:
        for case, verdict in verdicts(seed, engine, kind):
            tally.add(case, verdict)
    return tally


def smallest(case: Case, verdict: Verdict, engine) -> tuple[Case, Verdict]:
    """The case made as small as it still fails or is refused in the same way."""
    if not isinstance(case, Case):  # a profile's own, which has no smaller ones
        return case, verdict
    if any(fault.kind == "too long" for fault in verdict.faults):
        return case, verdict  # each try would take as long
    try:
        alone = examine(case, engine, companions=False)
    except Exception:  # the program needs arguments that its profile alone draws
        return case, verdict
    companions = not alike(alone, verdict)  # else the gradient itself is enough

    def fails(smaller: Case) -> bool:
        return alike(examine(smaller, engine, companions=companions), verdict)

    small = reduced(case, fails)
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

"""A failure for a person to read: program, facts, request, text, got and want."""

from __future__ import annotations

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict

RULE = "-" * 78


def report(case: Case, verdict: Verdict, title: str = "") -> str:
    program = case.program
    kinds = ", ".join(f"{p.name}: {p.fact or p.kind}" for p in program.params)
    sections = [
        f"program {program.seed}{title}: {summary(verdict)}",
        program.source.split("\n\n\n", 1)[-1].rstrip(),
        f"arguments: {kinds}\nshapes={getattr(case, 'shapes', None)!r}\nwrt={case.wrt!r}",
        f"emitted:\n{verdict.text.rstrip()}",
    ]
    sections += [
        f"{fault.kind}: {fault.detail.rstrip()}" for fault in verdict.faults[:6]
    ]
    if verdict.refusal:
        sections.append(f"refused: {verdict.refusal}")
    return f"\n{RULE}\n".join(["", *sections, ""])


def summary(verdict: Verdict) -> str:
    """The kinds of fault, each once, in the order found; or what else it is."""
    if verdict.faults:
        return ", ".join(dict.fromkeys(fault.kind for fault in verdict.faults))
    if verdict.refusal:
        return "refused"
    return "right" if verdict.measured else "not measurable"

"""docs/wild.md: the table of shares by package, and that of causes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from gradgen.quoting import markdown
from tests.wild.cannot import CANNOT
from tests.wild.judge import DOORS
from tests.wild.kept import State, Tried, state
from tests.wild.survey import Apart

PAGE = Path(__file__).parents[2] / "docs" / "wild.md"
TOP = """# Functions of packages, untouched

Made by `python -m tests.wild` (with the extra `wild`). Every public function of the
modules that `tests/wild/surveys` names which can be called with numbers and arrays, and
every such method of the objects there, is differentiated with nothing told:

- *first*: `gradgen.grad(f)(*args)`, in the first argument;
- *all*: in all floating arguments;
- *text*: `gradgen.emit(f)` without arguments, the text executed alone.

The numbers are held against the complex step and extrapolated differences of the
function itself. Wrong is a number, a shape or a type; a crash is any exception that is no
refusal, and what takes more than a minute. Guarded is what is nan or infinite alone (at
equal eigenvalues, say), and right with `guard=True`. The gradient in a symmetric matrix is
symmetric, whichever half the function reads. Functions that no gradient of NumPy's could be
written of (they count, draw, or are C) are counted apart, by hand, with the reason.
"""


Found = list[Tried]


def page(states: Sequence[State]) -> str:
    """The whole page."""
    found = [one for each in states for one in each.tried]
    apart = [one for each in states for one in each.apart]
    parts = [TOP, shares(found), of_other_states(states), none_at_all(found)]
    parts += [causes(found), faults(found), left_out(apart)]
    return "\n".join(part for part in parts if part)


def shares(found: Found) -> str:
    """One line for each package, and one for all and for all methods."""
    head = (
        "| package | version | functions | of them methods | right: first | all | text "
    )
    head += "| refused: first | cannot have one | right of the others: first "
    lines = [head + "| guarded | wrong | crashes |", "| --- |" + " --- |" * 12]
    for package in dict.fromkeys(one.package for one in found):
        lines.append(_share(package, [one for one in found if one.package == package]))
    lines.append(_share("all", found))
    lines.append(_share("all methods", [one for one in found if one.method]))
    return "## Shares\n\n" + "\n".join(lines) + "\n"


def _share(label: str, found: Found) -> str:
    count, methods = len(found), sum(one.method for one in found)
    right = [sum(verdict(one, door) == "right" for one in found) for door in DOORS]
    refused = sum(verdict(one) == "refused" for one in found)
    wrong = sum("wrong" in verdicts(one) for one in found)
    crash = sum("crash" in verdicts(one) for one in found)
    guarded = sum("guarded" in verdicts(one) for one in found)
    none = sum(cannot(one) for one in found)
    numbers = [f"{n} ({_percent(n, count)} %)" for n in right]
    of_others = f"{_percent(right[0], count - none)} %"
    cells = [label, _version(label), count, methods, *numbers, refused, none]
    return (
        "| " + " | ".join(map(str, [*cells, of_others, guarded, wrong, crash])) + " |"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.0f}"


def verdict(one: Tried, door: str = "first") -> str:
    """What became of it at one door; "" where that was not tried."""
    return one.results[door].verdict if door in one.results else ""


def cannot(one: Tried) -> bool:
    """Whether it is refused, and no gradient of NumPy's could be written of it."""
    return verdict(one) == "refused" and one.name in CANNOT


def of_other_states(states: Sequence[State]) -> str:
    """Which rows are of an older text of gradgen than the one at hand."""
    older = [one.package for one in states if one.digest != state()]
    if not older:
        return "All rows are of one state of gradgen.\n"
    return f"Rows of an older state of gradgen: {', '.join(older)}.\n"


def none_at_all(found: Found) -> str:
    """The functions that no gradient of NumPy's could be written of, by reason."""
    by_reason: dict[str, list[str]] = {}
    for one in filter(cannot, found):
        by_reason.setdefault(CANNOT[one.name], []).append(one.name)
    if not by_reason:
        return ""
    lines = ["| n | what no gradient of NumPy's can have | functions |"]
    lines.append("| --- | --- | --- |")
    for reason, names in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {len(names)} | {reason} | {', '.join(names)} |")
    return "## Without a gradient\n\n" + "\n".join(lines) + "\n"


def verdicts(one: Tried) -> set[str]:
    """What became of it at any door."""
    return {outcome.verdict for outcome in one.results.values()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def causes(found: Found) -> str:
    """What stops the others at the first door, by code and words without names."""
    counted: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], str] = {}
    for one in found:
        outcome = one.results["first"]
        if outcome.verdict == "refused" and not cannot(one):
            key = (outcome.code, plain(outcome.said))
            counted[key] += 1
            example.setdefault(key, one.name)
    lines = ["| n | code | cause | for example |", "| --- | --- | --- | --- |"]
    order = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    for (code, said), n in order:
        function = markdown(example[code, said])
        lines.append(f"| {n} | {code} | {markdown(said)} | {function} |")
    return "## What stops the others\n\n" + "\n".join(lines) + "\n"


def plain(said: str) -> str:
    """The words of a message without file names; one line."""
    said = re.sub(r"(/[\w.\-]+)+/", "", said.splitlines()[0])
    said = re.sub(r" \(in .*, called at .*\)", "", said)
    return re.sub(r"0x[0-9a-f]+", "0x", said)[:160]


def faults(found: Found) -> str:
    """What is wrong, or crashes."""
    lines = []
    for one in found:
        for door, outcome in one.results.items():
            if outcome.verdict in ("wrong", "crash"):
                lines.append(
                    f"- {markdown(one.name)} ({door}): {outcome.verdict}: "
                    f"{markdown(plain(outcome.said))}"
                )
    return "## Wrong, or a crash\n\n" + "\n".join(lines) + "\n" if lines else ""


def left_out(apart: list[Apart]) -> str:
    """How many functions of the modules are no case, by reason."""
    counted = Counter(
        re.sub(r"^takes .*", "takes what is no number", a.reason) for a in apart
    )
    lines = ["| n | reason |", "| --- | --- |"]
    order = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    lines += [f"| {n} | {reason} |" for reason, n in order]
    return "## Left out\n\n" + "\n".join(lines) + "\n"

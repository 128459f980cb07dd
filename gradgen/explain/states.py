"""The texts of a gradient after each pass, and what changed from one to the next."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import gast

from gradgen.explain.record import Recorded, Step
from gradgen.frozen import dataclass
from gradgen.ir.text import listing
from gradgen.lines import lines_of
from gradgen.printer.render import Rendered
from gradgen.printer.reread import string
from gradgen.printer.text import to_text


@dataclass(frozen=True)
class State:
    """The text after a pass; `idle` are the passes since the last one that changed
    nothing."""

    name: str
    says: str
    lines: tuple[str, ...]
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """A pass that ran: `state` is the place of the text after it among the states,
    `changed` whether that text is another one than before."""

    name: str
    says: str
    state: int
    changed: bool


def states(recorded: Recorded) -> list[State]:
    """The states of a function whose texts differ, the derivative as drafted first."""
    return stages(recorded)[0]


def stages(recorded: Recorded) -> tuple[list[State], list[Stage]]:
    """The states whose texts differ, and all passes in the order in which they ran."""
    found: list[State] = []
    ran: list[Stage] = []
    idle: list[str] = []
    before: Step | None = None
    lines: tuple[str, ...] = ()
    for step in recorded.steps:
        if before is None or not _is_same(step, before):
            lines = tuple(lines_of(_text(recorded, step)))
        before = step
        changed = not found or lines != found[-1].lines
        if changed:
            told = tuple(dict.fromkeys(idle))
            found.append(State(step.name, step.says, lines, told))
            idle = []
        else:
            idle.append(step.name)
        ran.append(Stage(step.name, step.says, len(found) - 1, changed))
    return found, ran


def _is_same(step: Step, before: Step) -> bool:
    """Whether a pass returned what it was given: then the text need not be printed."""
    return step.function is before.function and step.facts is before.facts


def _text(recorded: Recorded, step: Step) -> str:
    """The state as Python; as the stages have it, where Python has no words for it."""
    try:
        return body_text(recorded.printing(step.function, step.facts.copy()))
    except Exception:  # an early state may hold anything
        return listing(step.function)


def body_text(rendered: Rendered) -> str:
    """The function's text without its docstring."""
    node = rendered.node
    first = node.body[0]
    body = node.body[1:] if string(first) is not None else node.body
    bare = gast.FunctionDef(
        name=node.name,
        args=node.args,
        body=body,
        decorator_list=[],
        returns=node.returns,
        type_comment=None,
        type_params=[],
    )
    return to_text(gast.Module([bare], []))


def changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, str]]:
    """The lines of both texts in order: ("-", gone), ("+", new) or (" ", same)."""
    found: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            found += [(" ", line) for line in after[c:d]]
        else:
            found += [("-", line) for line in before[a:b]]
            found += [("+", line) for line in after[c:d]]
    return found

"""The texts of a gradient after each pass, and what changed from one to the next."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import gast

from gradgen.explain.record import Recorded, Step
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


def states(recorded: Recorded) -> list[State]:
    """The states of a function whose texts differ, the derivative as drafted first."""
    found: list[State] = []
    idle: list[str] = []
    for step in recorded.steps:
        lines = tuple(lines_of(_text(recorded, step)))
        if found and lines == found[-1].lines:
            idle.append(step.name)
            continue
        found.append(State(step.name, step.says, lines, tuple(dict.fromkeys(idle))))
        idle = []
    return found


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

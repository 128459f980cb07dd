"""locals(): the names of a function that surely have a value where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.ir.nodes import Expr

# a statement of these gives names in any case where it is reached
SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign)
LOOPS = (gast.For, gast.While)


def own_names(lowering: Lowering, node: gast.Call) -> dict[str, Expr] | None:
    """What locals() gives; None where whether a name has a value is not known.

    So it is behind a branch or a loop that gives some, in a loop, and in a function
    inside another, whose names may be among them.

    before:  check(locals(), "x", (3,))      after:  check({"x": x, "y": y}, "x", (3,))
    """
    frame, names = lowering.frame, lowering.state.names
    if frame.parent is not None or not isinstance(frame.node, gast.FunctionDef):
        return None
    if frame.node.args.vararg or frame.node.args.kwarg:
        return None
    sure = set(frame.source.parameters)
    for statement in frame.node.body:
        if _holds(statement, node):
            if any(isinstance(one, LOOPS) for one in gast.walk(statement)):
                return None
            break
        given = set(_stored(statement))
        if not isinstance(statement, SIMPLE) and given:
            return None
        sure |= given
    found = {name: names.get((frame.number, name)) for name in sorted(sure)}
    known: dict[str, Expr] = {k: v for k, v in found.items() if v is not None}
    odd = any(isinstance(one, Poison) or one is REFUSED for one in known.values())
    inner = set(_stored_before(statement, node)) - sure
    return None if odd or inner or len(known) < len(found) else known


def _holds(statement: Any, node: Any) -> bool:
    """Whether the call stands in a statement, or what a copy of it was made of."""
    place = node.lineno, node.col_offset
    calls = (one for one in gast.walk(statement) if isinstance(one, gast.Call))
    return any(place == (one.lineno, one.col_offset) for one in calls)


def _stored(statement: Any) -> Iterator[str]:
    for one in gast.walk(statement):
        if isinstance(one, gast.Name) and not isinstance(one.ctx, gast.Load):
            yield one.id
        elif isinstance(one, (gast.FunctionDef, gast.ClassDef)):
            yield one.name
        elif isinstance(one, (gast.Import, gast.ImportFrom)):
            yield from ((a.asname or a.name).partition(".")[0] for a in one.names)


def _stored_before(statement: Any, node: Any) -> Iterator[str]:
    """The names that parts of the call's own statement give before it."""
    for one in gast.walk(statement):
        if isinstance(one, gast.stmt) and not _holds(one, node):
            if (one.lineno, one.col_offset) < (node.lineno, node.col_offset):
                yield from _stored(one)

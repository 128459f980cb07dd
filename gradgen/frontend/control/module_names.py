"""Names of a module that a function binds: where they are held."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.bindings import bound
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.naming import named
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Key, Poison
from gradgen.frontend.source.names import NO_VALUE, is_plain, nonlocals
from gradgen.ir.nodes import Const, Expr

# calls have numbers from 0, modules from here downwards
FIRST = -1
# what is not known: a name that has no plain value before
UNKNOWN = Poison(
    "GG113", "what this name of a module holds is not known here", "a parameter"
)


def bind_name(lowering: Lowering, target: gast.Name, value: Expr, mark: int) -> Expr:
    """Binds a name of the call, or of its module; the handle of what it is."""
    outer = _outer_key(lowering, target.id)
    if outer is not None:
        _bind_outer(lowering, outer, value, target)
        return value
    value = named(lowering, value, target.id.strip(), mark)
    number = _binding(lowering, target.id)
    lowering.state.names[number, target.id] = value
    bound(lowering, number, target.id)
    return value


def _binding(lowering: Lowering, name: str) -> int:
    """The call whose name is bound; a walrus in a comprehension binds around it."""
    frame = lowering.frame
    while frame.parent and name not in frame.locals:
        if frame.note is None and name not in nonlocals(frame.node):
            break
        frame = frame.parent
    return frame.number


def _outer_key(lowering: Lowering, name: str) -> Key | None:
    """The place of a name that the call around declares global."""
    frame: Frame | None = lowering.frame
    while frame is not None and name not in frame.locals:
        if name in frame.shared:
            table = frame.source.globals
            found = place_of_name(lowering, table, name)
            if found is None:
                lowering.callees.binds(table, name)
            return found
        frame = frame.parent
    return None


def place_of_name(lowering: Lowering, table: dict[str, Any], name: str) -> Key | None:
    for place, (known, own) in enumerate(lowering.callees.outer):
        if own == name and known is table:
            return FIRST - place, name
    return None


def hold_outer(lowering: Lowering) -> None:
    """Notes what the names that functions bind hold before the call."""
    for place, (table, name) in enumerate(lowering.callees.outer):
        value = table.get(name, NO_VALUE)
        known = Const(value) if is_plain(value) else UNKNOWN
        lowering.state.names[FIRST - place, name] = known


def _bind_outer(lowering: Lowering, key: Key, value: Expr, node: gast.AST) -> None:
    """Binds a name of a module.

    before:  global MODE              after:  nothing, and MODE is "strict"
             MODE = "strict"                  where it is read from here on
    """
    name = key[1]
    if value is REFUSED:
        lowering.state.names[key] = REFUSED
        return
    lowering.loose += 1
    plain = value_known(lowering, value)
    if not is_plain(plain):
        lowering.fail(
            "GG113",
            f"a global statement for {name}, whose value is not known here, is not "
            "supported",
            node,
            f"{name} as a parameter",
        )
    lowering.state.names[key] = Const(plain)


def bound_outside(lowering: Lowering) -> list[str]:
    """The names of modules that hold something else by now than before the call."""
    found = []
    for place, (table, name) in enumerate(lowering.callees.outer):
        now = lowering.state.names.get((FIRST - place, name), UNKNOWN)
        if not _is_same(getattr(now, "value", NO_VALUE), table.get(name)):
            found.append(name)
    return found


def refuse_bound(lowering: Lowering) -> None:
    """Refuses a function that leaves a name of a module bound to another value."""
    for name in bound_outside(lowering):
        lowering.problem(
            "GG113",
            f"a global statement for {name}, which holds another value by the end, "
            "is not supported",
            lowering.source.node,
            f"{name} as a result, or as a parameter",
        )


def _is_same(value: Any, before: Any) -> bool:
    """Whether two plain values are alike, as far as a function can tell."""
    if not is_plain(before) or type(value) is not type(before):
        return False
    return repr(value) == repr(before)

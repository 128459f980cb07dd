"""The views of dictionaries: d.keys() and its like are what the dictionary is now."""

from __future__ import annotations

from itertools import zip_longest

import gast

from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import View
from gradgen.ir.nodes import Apply, Expr, Ref
from gradgen.ir.walk import subexpressions


def viewed(
    lowering: Lowering, handle: Expr, name: str, parts: tuple[Expr, ...]
) -> Apply:
    """A view of a dictionary, as the tuple of what it gives now."""
    made = Apply("tuple", parts)
    if isinstance(handle, Ref):
        lowering.views.append(View(handle, name, made))
    return made


def seen_now(lowering: Lowering, value: Expr) -> Expr:
    """What a name gives: of a view of a dictionary, what that holds now."""
    for view in lowering.views:
        if view.made is value:
            now = held_now(lowering, view)
            return (
                value
                if now == value.args
                else viewed(lowering, view.of, view.name, now)
            )
    return value


def live_item(lowering: Lowering, item: Expr, node: gast.AST) -> Expr:
    """An item of what a loop goes over; refused where the loop has changed it."""
    views = [] if lowering.live_from is None else lowering.views[lowering.live_from :]
    for view in views:
        now = held_now(lowering, view)
        there = zip_longest(view.made.args, now)
        changed = [old for old, new in there if old != new]
        if any(part == old for part in subexpressions(item) for old in changed):
            lowering.fail(
                "GG268",
                "the loop changes what this reads as it is gone through",
                node,
                f"list(....{view.name}())",
            )
    return item


def held_now(lowering: Lowering, view: View) -> tuple[Expr, ...]:
    known = contents(lowering, view.of)
    if known is None or known.op != "dict":
        return ()
    return parts_of_view(pairs_of(lowering, known), view.name)


def changed_in_place(lowering: Lowering, handle: Expr, known: Apply) -> None:
    assert isinstance(handle, Ref)  # others may not be changed
    lowering.state.versions[handle.var] = known
    lowering.touch(handle.var)


def parts_of_view(pairs: list[tuple[Expr, Expr]], name: str) -> tuple[Expr, ...]:
    if name == "items":
        return tuple(Apply("tuple", pair) for pair in pairs)
    return tuple(key if name == "keys" else value for key, value in pairs)

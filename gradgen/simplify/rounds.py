"""The rounds of a loop as places in lists, and what such lists are called."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr


def position(over: Expr | None, index: Expr) -> Expr:
    """The number of the round in which a loop's index has a value, from 0."""
    if over is None:
        return index
    start, _, step = whole_range(over).args
    if step == Const(1):
        if start == Const(0):
            return index
        return Apply("numpy.subtract", (index, start), spelling="operator")
    if step == Const(-1):
        return Apply("numpy.subtract", (start, index), spelling="operator")
    ahead = index
    if start != Const(0):
        ahead = Apply("numpy.subtract", (index, start), spelling="operator")
    return Apply("numpy.floor_divide", (ahead, step), spelling="operator")


def whole_range(over: Expr) -> Apply:
    """The range that a loop goes over, forwards or backwards, whole or in part."""
    assert isinstance(over, Apply)
    return over if over.op == "range" else whole_range(over.args[0])


def plus_one(place: Expr) -> Expr:
    """The place after a place."""
    if isinstance(place, Apply) and place.op == "numpy.subtract":
        left, right = place.args
        if right == Const(1):
            return left
    return Apply("numpy.add", (place, Const(1)), spelling="operator")


def plural(name: str) -> str:
    """A list's name: hs for h, entries for entry; one that ends in s gets _list."""
    if name.endswith(("_entry", "history")):
        return f"{name[:-1]}ies"
    return f"{name}_list" if name.endswith("s") else f"{name}s"


def singular(name: str) -> str:
    """What one of a list is called: h of hs, total_cos of total_cos_list."""
    if name.endswith("_list"):
        return name.removesuffix("_list")
    if name.endswith(("_entries", "histories")):
        return f"{name[:-3]}y"
    return name.removesuffix("s")

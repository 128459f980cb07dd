"""How long axes are at least, by the entries that a function reads by constant places."""

from __future__ import annotations

from collections.abc import Collection

from gradgen.ir.nodes import Apply, Const, Function, Let, Ref
from gradgen.shapes.dims import Dim
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts


def least_lengths(facts: Facts, function: Function) -> dict[str, tuple[Dim, Dim]]:
    """The least and the greatest length of each axis of which an entry is read.

    before:  centre = params[:3]; t0 = params[3]
    after:   params has 4 entries or more, and params[:3] has 3

    What stands in arms and loops may not run, and tells nothing.
    """
    found: dict[str, int] = {}
    for stmt in function.body:
        value = stmt.value if isinstance(stmt, Let) else None
        if not isinstance(value, Apply) or value.op != "getitem":
            continue
        base, key = value.args
        if not isinstance(base, Ref) or base.var not in facts.shapes:
            continue
        if facts.is_list(base):
            continue
        for dim, item in zip(facts.of(base).dims or (), key_items(key)):
            place = item.value if isinstance(item, Const) else None
            if isinstance(item, Apply) and item.op == "slice":
                continue
            if type(place) is not int:
                break  # None, an ellipsis, or what may be a mask
            if dim.symbol and dim.symbol[0] != "?":
                size = place + 1 if place >= 0 else -place
                found[dim.symbol] = max(size, found.get(dim.symbol, 0))
    return {name: (Dim.of(size), Dim.of(name)) for name, size in found.items()}


def tell_of_slices(facts: Facts, letters: Collection[str]) -> bool:
    """Whether slices of axes of these have lengths that nothing was known of."""
    unknown = {
        name
        for shape in facts.shapes.values()
        for dim in shape.dims or ()
        for name in dim.names
        if name[0] == "?"
    }
    new = [letter for letter in letters if letter not in facts.spans]
    return any(name.startswith(f"?{letter}[") for name in unknown for letter in new)

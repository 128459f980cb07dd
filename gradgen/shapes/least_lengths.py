"""How long axes are at least, by the entries that a function reads by constant places."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Function, Let, Ref
from gradgen.shapes.dims import Dim
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts


def learn_least_lengths(facts: Facts, function: Function) -> None:
    """Notes the least length of each axis of an argument of which an entry is read.

    before:  centre = params[:3]; t0 = params[3]
    after:   params has 4 entries or more, and params[:3] has 3

    What stands in arms and loops may not run, and tells nothing.
    """
    for stmt in function.body:
        value = stmt.value if isinstance(stmt, Let) else None
        if not isinstance(value, Apply) or value.op != "getitem":
            continue
        base, key = value.args
        if not isinstance(base, Ref) or base.var not in facts.labels:
            continue
        if facts.is_list(base):
            continue
        for dim, item in zip(facts.of(base).dims or (), key_items(key)):
            place = item.value if isinstance(item, Const) else None
            if place is None or place is ... or isinstance(item, Apply):
                if not (isinstance(item, Apply) and item.op == "slice"):
                    break  # None, an ellipsis, or what may be a mask
            elif type(place) is int and dim.symbol:
                size = place + 1 if place >= 0 else -place
                before = facts.spans.get(dim.symbol)
                least = before[0].number or 0 if before else 0
                facts.spans[dim.symbol] = Dim.of(max(size, least)), dim

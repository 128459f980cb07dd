"""What goes over dictionaries that rounds have filled by their number, as over lists.

for t, h in hs.items(): ...     for t, h in enumerate(hs, 0): ...
sum(hs.values()), len(hs)       sum(hs), len(hs)
"""

from __future__ import annotations

from typing import Any

import gast

VIEWS = ("items", "values")


def view_of(parents: dict[Any, Any], name: Any) -> Any:
    """The call of a view, or of len, that a name is read by; None for none."""
    parent = parents[name]
    call = parents.get(parent)
    if isinstance(parent, gast.Attribute) and parent.attr in VIEWS:
        if isinstance(call, gast.Call) and call.func is parent and not call.args:
            return call
    is_length = getattr(getattr(parent, "func", None), "id", "") == "len"
    return parent if is_length and parent.args == [name] else None


def is_behind(node: gast.FunctionDef, one: gast.AST, loop: gast.For) -> bool:
    """Whether something stands in a statement of the function behind a loop."""
    behind = node.body[node.body.index(loop) + 1 :]
    return any(one is part for stmt in behind for part in gast.walk(stmt))


def over_a_list(call: gast.Call, name: str, first: int, made: str) -> Any:
    """What stands for a view where the dictionary is a list."""
    base = gast.Name(name, gast.Load(), None, None)
    whole: Any = base
    if getattr(call.func, "id", "") == "len":
        return call
    if getattr(call.func, "attr", "") == "items":
        start = gast.Constant(first, made)
        whole = gast.Call(
            gast.Name("enumerate", gast.Load(), None, None), [base, start], []
        )
    for one in gast.walk(whole):
        gast.copy_location(one, call)
    return whole

"""The last entry of a list, read and removed by one statement."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from gradgen.printer.expression import expression

# expressions whose parts are computed never, or several times
SOMETIMES = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.GeneratorExp)


def popped(body: list[Any]) -> list[Any]:
    """The body with a list's last entry read and removed by one statement.

    before:  d_v = 2 * d_stack[-1]        after:  d_v = 2 * d_stack.pop()
             d_stack.pop()
    """
    if not any(map(_popping, body)):
        return body
    last: dict[str, Any] = {}  # the statement that reads a list's last entry
    done: list[Any] = []
    for node in body:
        items = _popping(node)
        if items in last and not getattr(node, "trailing", False):
            reader = last.pop(items)
            reader.value = _Taken(items, node.value).visit(reader.value)
            continue
        if getattr(node, "body", None):
            last = {}
        names = Counter(one.id for one in gast.walk(node) if isinstance(one, gast.Name))
        last = {items: one for items, one in last.items() if items not in names}
        if isinstance(node, (gast.Assign, gast.AugAssign)) and _is_plain(node.value):
            read = map(_last_of, gast.walk(node.value))
            last |= {items: node for items in read if names[items] == 1}
        done.append(node)
    return done


def _is_plain(value: Any) -> bool:
    """Whether each part of an expression is computed once."""
    return not any(isinstance(one, SOMETIMES) for one in gast.walk(value))


def _popping(node: Any) -> Any:
    """The name of a list that a statement takes the last entry from: stack.pop()."""
    called = node.value if isinstance(node, gast.Expr) else None
    if not isinstance(called, gast.Call) or called.args:
        return None
    func = called.func
    if not isinstance(func, gast.Attribute) or func.attr != "pop":
        return None
    return getattr(func.value, "id", None)


def _last_of(node: Any) -> Any:
    """The name of a list of which an expression is the last entry: stack[-1]."""
    if not isinstance(node, gast.Subscript) or expression(node.slice) != "-1":
        return None
    return getattr(node.value, "id", None)


class _Taken(gast.NodeTransformer):
    """An expression with a call in place of the last entry of a list."""

    def __init__(self, items: str, call: Any) -> None:
        self.items, self.call = items, call

    def visit(self, node: Any) -> Any:
        if _last_of(node) == self.items:
            return self.call
        node.__dict__.pop("written", None)  # the text that it had
        return self.generic_visit(node)

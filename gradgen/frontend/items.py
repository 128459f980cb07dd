"""The results of an operation that has several: known ones, and all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref
from gradgen.ir.operators import getitem
from gradgen.rules.load import operations
from gradgen.rules.rule import Rule, bind


def known_item(value: Apply, body: Sequence[Let]) -> Const | None:
    """The constant that z[1] is: `c, low = cho_factor(a, lower=True)` tells low."""
    if value.op != "getitem" or not isinstance(value.args[1], Const):
        return None
    source, index = _several(value.args[0], body), value.args[1].value
    if source is None or not isinstance(index, int):
        return None
    rule = operations()[source.op]
    line = rule.items[index] if index < len(rule.items) else None
    if not isinstance(line, Apply) or line.op != "told":
        return None
    found = bind(rule, source)[line.args[0].var]
    return found if isinstance(found, Const) else None


def in_parts(rule: Rule, value: Apply, body: Sequence[Let]) -> dict[Expr, list[Apply]]:
    """The arguments that hold all results of a call, where the rule wants each."""
    parts: dict[Expr, list[Apply]] = {}
    for param, arg in bind(rule, value).items():
        source = _several(arg, body) if param in rule.taken_apart else None
        if source is not None:
            count = len(operations()[source.op].items)
            items = (getitem(arg, i) for i in range(count))
            parts[arg] = [replace(item, spelling="operator") for item in items]
    return parts


def _several(expr: Expr, body: Sequence[Let]) -> Apply | None:
    """The operation with several results whose value a variable is."""
    if not isinstance(expr, Ref):
        return None
    found = next((let.value for let in reversed(body) if let.var == expr.var), None)
    rule = operations().get(found.op) if isinstance(found, Apply) else None
    return found if rule is not None and rule.items and rule.alone is None else None

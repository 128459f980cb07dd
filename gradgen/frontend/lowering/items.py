"""The results of an operation that has several: known ones, and all of them at once."""

from __future__ import annotations

from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import RESULTS, getitem
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.rule import Rule
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict


def count_of_results(expr: Expr, facts: Facts) -> int:
    """How many results an operation has, where that is known; 0 for an array."""
    try:
        return facts.several(expr) if isinstance(expr, Ref) else 0
    except (GradgenError, ShapeConflict):
        return 0


def named_result(value: Expr, name: str, facts: Facts) -> int | None:
    """Which result of an operation numpy calls so: svd(x).S is svd(x)[1]."""
    if not count_of_results(value, facts):
        return None
    names = RESULTS.get(facts.definitions[value.var].op, ())
    return names.index(name) if name in names else None


def known_item(value: Apply, facts: Facts) -> Const | None:
    """The constant that z[1] is: `c, low = cho_factor(a, lower=True)` tells low."""
    if value.op != "getitem" or not isinstance(value.args[1], Const):
        return None
    source, index = value.args[0], value.args[1].value
    if not count_of_results(source, facts) or not isinstance(index, int):
        return None
    call = facts.definitions[source.var]
    rule = operations()[call.op]
    count = len(rule.items)
    line = rule.items[index] if -count <= index < count else None
    if not isinstance(line, Apply) or line.op != "told":
        return None
    assert isinstance(call, Apply)  # what has several results
    found = bind(rule, call)[line.args[0].var]
    return found if isinstance(found, Const) else None


def in_parts(rule: Rule, value: Apply, facts: Facts) -> dict[Expr, list[Apply]]:
    """The arguments that hold all results of a call, where the rule wants each."""
    parts: dict[Expr, list[Apply]] = {}
    for param, arg in bind(rule, value).items():
        count = count_of_results(arg, facts) if param in rule.taken_apart else 0
        if count:
            items = (getitem(arg, i) for i in range(count))
            parts[arg] = [replace(item, spelling="operator") for item in items]
    return parts

"""Which values of a round are kept for the reversed one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, POWERS
from gradgen.ir.walk import reads_of, subexpressions
from gradgen.shapes.certain import is_floating
from gradgen.simplify.again import Again


def chosen(again: Again, wanted: list[Var]) -> list[Var]:
    """The variables to keep: not what costs one operation on what is kept anyway."""
    kept = [var for var in wanted if again.cheap(var) is None]
    for var in list(kept):
        others = [v for v in kept if v is not var]
        there, given = set(others), again.keeping(others)
        if all(given.cheap(v) is not None for v in wanted if v not in there):
            kept = others
    return kept


def with_numbers(
    kept: list[Var], again: Again, wanted: list[Var], gradient: Iterable[Stmt]
) -> list[Var]:
    """Beside what is kept: the user's numbers that would get a line to be computed in.

    What a round keeps is one record, and one number more in it costs no line.
    """
    if not kept:
        return kept
    facts = again.facts
    given = again.keeping(kept)
    values = {var: given.cheap(var) for var in wanted if var not in kept}
    counted = Counter(var for stmt in gradient for var in reads_of(stmt))
    for value in values.values():
        parts = [] if value is None else list(subexpressions(value))[1:]
        counted.update(var for var, other in values.items() if other in parts)
    more = [
        var
        for var, value in values.items()
        if isinstance(value, Apply)
        and value.op in POWERS | ARITHMETIC
        and var.origin is Origin.USER
        and counted[var] > 1
        and facts.rank(Ref(var)) == 0
        and is_floating(Ref(var), facts)
    ]
    return [*kept, *more]

"""What a loop computes alike in each round: loop-invariant code motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gradgen.ir.nodes import Apply, Expr, Let, Origin, Stmt, Var
from gradgen.ir.operators import UNFAILING
from gradgen.ir.walk import reads, subexpressions
from gradgen.rules.load import operations
from gradgen.simplify.again import Again


def invariants(wanted: Iterable[Var], again: Again, body: Sequence[Stmt]) -> list[Let]:
    """The statements of a loop's body that may stand before it, for what is `wanted`.

        before:  for t in range(n):
                     root = np.sqrt(dt)
                     roots.append(root)
                     s = s + s * root * z[t]
        after:   root = np.sqrt(dt)
                 for t in range(n):
                     s = s + s * root * z[t]

    What is cheap in each round stays. These are the user's subexpressions, functions
    of what the loop neither makes nor changes; a loop of no round computes them as well,
    so that nothing that may raise is among them.
    """
    still: dict[Var, Let] = {}
    for stmt in body:
        if isinstance(stmt, Let) and stmt.var.origin is Origin.TEMP:
            inside = again.own - still.keys()
            outer = [var for var in reads(stmt.value) if var not in still]
            settled = inside.isdisjoint(outer) and not any(
                map(again.sharing.is_changed, outer)
            )
            if settled and all(map(_is_safe, subexpressions(stmt.value))):
                still[stmt.var] = stmt
    moved: set[Var] = set()
    waiting = [v for v in wanted if v in still and again.cheap(v) is None]
    while waiting:
        var = waiting.pop()
        if var not in moved:
            moved.add(var)
            waiting += [one for one in reads(still[var].value) if one in still]
    return [let for var, let in still.items() if var in moved]


def _is_safe(value: Expr) -> bool:
    """Whether a value is an elementwise one that no arguments raise for."""
    if not isinstance(value, Apply):
        return True
    rule = operations().get(value.op)
    if value.op == "numpy.power":
        exponent = getattr(value.args[1], "value", -1)
        return type(exponent) in (int, float) and exponent >= 0
    called = value.spelling != "operator" or value.op in UNFAILING
    return called and rule is not None and rule.kind == "elementwise"

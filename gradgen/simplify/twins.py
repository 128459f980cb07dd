"""Numbers of the primal that have a name and are computed twice have one name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Loop, Origin, Ref, Role
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.walk import substitute_everywhere, with_blocks
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts


def twins(function: Function, facts: Facts) -> Function:
    """The function that names a number once, which its lines have several times.

        before:  L_cubed = L**3
                 L_cubed_2 = L**3
                 out = x[0] / L_cubed + c / L_cubed_2
        after:   L_cubed = L**3
                 out = x[0] / L_cubed + c / L_cubed

    Subexpressions that have got names since the gradient reads them; those that have
    none are written as the user has written them.
    """
    values: dict[Var, Expr] = {}
    body = _block(function.body, {}, values, facts)
    if not values:
        return function
    return substitute_everywhere(replace(function, body=body), values)


def _block(
    body: Iterable[Stmt], known: dict[Expr, Var], values: dict[Var, Expr], facts: Facts
) -> tuple[Stmt, ...]:
    kept: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, Let):
            # what a round or an arm names is not known behind it
            ahead = {} if isinstance(stmt, Loop) else known
            kept.append(
                with_blocks(stmt, lambda b: _block(b, dict(ahead), values, facts))
            )
            continue
        if stmt.note.role is Role.FORWARD and stmt.var.origin is Origin.TEMP:
            if _is_number(stmt.value, facts):
                first = known.setdefault(stmt.value, stmt.var)
                if first != stmt.var:
                    values[stmt.var] = Ref(first)
                    continue
        kept.append(stmt)
    return tuple(kept)


def _is_number(value: Expr, facts: Facts) -> bool:
    """Whether a value is a function of numbers, entry by entry."""
    if not isinstance(value, Apply) or facts.rank(value) != 0 or value.kwargs:
        return False
    rule = operations().get(value.op)
    return rule is not None and rule.kind == "elementwise"

"""What the primal computes twice, and has a name for, is read by that name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Loop, Origin, Ref, Role
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.walk import rewrite, substitute, substitute_everywhere, with_blocks
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import WHOLE


def twins(function: Function, facts: Facts) -> Function:
    """The function that computes once what it has a name for, and its lines have again.

        before:  L_cubed = L**3
                 L_cubed_2 = L**3
                 out = x[0] / L_cubed + c / L_cubed_2
        after:   L_cubed = L**3
                 out = x[0] / L_cubed + c / L_cubed

    Subexpressions that have got names since the gradient reads them, of numbers and
    arrays entry by entry, and entries by places; those that have none are written as
    the user has written them.
    """
    values: dict[Var, Expr] = {}
    body = _block(function.body, {}, values, facts)
    if body == function.body:
        return function
    return substitute_everywhere(replace(function, body=body), values)


def _block(
    body: Iterable[Stmt], known: dict[Expr, Var], values: dict[Var, Expr], facts: Facts
) -> tuple[Stmt, ...]:
    kept: list[Stmt] = []

    def by_name(node: Expr) -> Expr:
        var = known.get(node) if isinstance(node, Apply) else None
        return node if var is None else Ref(var)

    for stmt in body:
        if not isinstance(stmt, Let):
            # what a round or an arm names is not known behind it
            ahead = {} if isinstance(stmt, Loop) else known
            kept.append(
                with_blocks(stmt, lambda b: _block(b, dict(ahead), values, facts))
            )
            continue
        if stmt.note.role is Role.FORWARD:
            value = substitute(stmt.value, values)
            if stmt.var.origin is Origin.TEMP and value in known:
                values[stmt.var] = Ref(known[value])
                continue
            stmt = replace(stmt, value=rewrite(value, by_name))
            if stmt.var.origin is Origin.TEMP and _is_plain(value, facts):
                known[value] = stmt.var
        kept.append(stmt)
    return tuple(kept)


def _is_plain(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed entry by entry, or is a copy of entries by places."""
    if not isinstance(value, Apply) or value.kwargs or value.spelling == "augmented":
        return False
    if value.op == "getitem":
        key = value.args[1]
        by_places = isinstance(key, Ref) and facts.kind(key) in WHOLE
        copies = bool(facts.rank(key)) or facts.rank(value) == 0  # or an entry
        return by_places and copies and isinstance(value.args[0], Ref)
    rule = operations().get(value.op)
    return rule is not None and rule.kind == "elementwise"

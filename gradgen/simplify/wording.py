"""Names for kept values that the user gave no name, and what has a line: L_rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, STORES
from gradgen.ir.walk import children, subexpressions, with_children
from gradgen.shapes.infer import Facts

STEPS = (*ADDITIVE, "numpy.multiply")
NAMED = (Origin.USER, Origin.PARAM)


def name_of(var: Var, body: Iterable[Stmt], facts: Facts) -> str:
    """What a kept value is called: the user's name, or what it is a part of.

    L_row for a part L[i, :j] that a statement reads or stores, L_column for
    L[:, j], L_entry for L[i, j], x_t for x[t] where x may be of any rank, and L_part
    for others.
    """
    if var.origin is not Origin.TEMP:
        return var.name
    for stmt in body:
        if not isinstance(stmt, Let) or not isinstance(stmt.value, Apply):
            continue
        value = stmt.value
        reads = stmt.var == var and value.op == "getitem"
        stores = value.op in STORES and value.args[2] == Ref(var)
        if not (reads or stores) or not isinstance(value.args[0], Ref):
            continue
        base = value.args[0].var
        if base.origin in NAMED and not facts.is_list(value.args[0]):
            return f"{base.name}_{_part(value.args[1], facts, base)}"
    return var.name


def in_words(expr: Expr, lines: Mapping[Expr, Expr]) -> Expr:
    """An expression with the names of what has a line, the largest parts first."""
    if not lines or not isinstance(expr, Apply):
        return expr
    if expr in lines:
        return lines[expr]
    return with_children(expr, [in_words(one, lines) for one in children(expr)])


def is_step(value: Apply) -> bool:
    """Whether a value is a sum or a product, or one and a number: i + k, 2 * i - 1."""
    parts = [part for part in subexpressions(value) if isinstance(part, Apply)]
    simple = all(part.op in STEPS for part in parts)
    return simple and (
        len(parts) == 1 or len(parts) == 2 and isinstance(value.args[1], Const)
    )


def _part(key: Expr, facts: Facts, base: Var) -> str:
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    rank = facts.shapes[base].rank
    numbers = [facts.is_index(item) for item in items]
    slices = [isinstance(i, Apply) and i.op == "slice" for i in items]
    if rank is not None and all(numbers) and len(items) == rank:
        return "entry"
    if rank == 2 and numbers[0] and (len(items) == 1 or slices[1]):
        return "row"
    if rank == 2 and len(items) == 2 and slices[0] and numbers[1]:
        return "column"
    names = [item.var.name for item in items if isinstance(item, Ref)]
    return "_".join(names) if len(names) == len(items) else "part"

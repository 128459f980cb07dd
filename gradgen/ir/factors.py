"""Which arguments are only multiplied by @ or .dot: these may be sparse matrices."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Var
from gradgen.ir.walk import children, own_expressions, reads, statements

# what a sparse matrix does as an array does: (operation, spelling, operand)
MEANT = {
    ("numpy.matmul", "operator", 0),
    ("numpy.matmul", "operator", 1),
    ("numpy.dot", "method:dot", 0),
    ("numpy.transpose", "attribute:T", 0),
    ("numpy.shape", "attribute:shape", 0),
}


def factors(primal: Function) -> tuple[str, ...]:
    """The parameters that are read by @, .dot, .T and .shape alone."""
    turned: dict[Var, Var] = {}
    others: set[Var] = set()
    for stmt in statements(primal.body):
        for expr in own_expressions(stmt):
            others.update(_other_reads(expr))
        if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
            first = stmt.value.args[0] if stmt.value.args else None
            if stmt.value.op == "numpy.transpose" and isinstance(first, Ref):
                turned[stmt.var] = first.var
    for value in primal.values:
        others.update(reads(value))
    for var in reversed(turned):  # S.T is read as S may be
        if var in others:
            others.add(turned[var])
    return tuple(p.var.name for p in primal.params if p.var not in others)


def _other_reads(expr: Expr) -> set[Var]:
    """The variables that an expression reads in another way."""
    if isinstance(expr, Ref):
        return {expr.var}
    found: set[Var] = set()
    for place, child in enumerate(children(expr)):
        meant = isinstance(expr, Apply) and (expr.op, expr.spelling, place) in MEANT
        if not (meant and isinstance(child, Ref)):
            found |= _other_reads(child)
    return found

"""What the gradient has computed with a line of its own is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Role, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, IN_PLACE, POWERS, STORES
from gradgen.ir.walk import children, lets, reads, with_blocks, with_children
from gradgen.ir.walk import with_expressions
from gradgen.simplify.equalities import is_work
from gradgen.simplify.fold import is_temporary


def repeated(function: Function) -> Function:
    """The function whose gradient fills, sums and multiplies matrices once.

        before:  d_t = np.full_like(y, d_out)
                 d_a = np.sum(d_t * b, axis=0)
                 d_c = np.sum(np.full_like(y, d_out), axis=0)
        after:   d_t = np.full_like(y, d_out)
                 d_a = np.sum(d_t * b, axis=0)
                 d_c = np.sum(d_t, axis=0)

    Arithmetic stays as it is written, but for adjoints that are the same; and so does memory from where it is stored into.
    """
    stored: set[Var] = set()
    for let in lets(function.body):
        value = let.value
        if isinstance(value, Apply) and value.op in (*STORES, *IN_PLACE):
            stored.update(reads(value.args[0]))
    body = tuple(_once(function.body, {}, stored))
    return function if body == function.body else replace(function, body=body)


def _once(
    source: Iterable[Stmt], outer: dict[Expr, Var], stored: set[Var]
) -> Iterator[Stmt]:
    known = dict(outer)
    for stmt in source:
        if not stmt.note.derived:
            yield stmt
            continue
        if not isinstance(stmt, Let):
            known = {one: var for one, var in known.items() if var not in stored}
            stmt = with_expressions(stmt, lambda expr: _read(expr, known))
            yield with_blocks(stmt, lambda block: _once(block, known, stored))
            continue
        # a whole value is another name for one that has a line
        whole = is_temporary(stmt) and stmt.var not in stored
        value = _read(stmt.value, known) if whole else _inside(stmt.value, known)
        if stmt.var not in stored and _is_long(value):
            first = known.get(value)
            if first is not None:
                value = Ref(first)
            elif stmt.note.role is Role.GRAD:
                known[value] = stmt.var
        stmt = stmt if value is stmt.value else replace(stmt, value=value)
        yield stmt
        if isinstance(value, Apply) and value.op in (*STORES, *IN_PLACE):
            over = set(reads(value.args[0]))
            known = {one: var for one, var in known.items() if var not in over}
        elif stmt.note.role is Role.GRAD and _counts(value):
            known.setdefault(value, stmt.var)


def _read(expr: Expr, known: dict[Expr, Var]) -> Expr:
    """An expression with the names of what has a line, the innermost first."""
    expr = _inside(expr, known)
    if isinstance(expr, Apply) and _counts(expr) and expr in known:
        return Ref(known[expr])
    return expr


def _inside(expr: Expr, known: dict[Expr, Var]) -> Expr:
    if not known or not isinstance(expr, Apply):
        return expr
    old = children(expr)
    new = [_read(child, known) for child in old]
    same = all(a is b for a, b in zip(old, new, strict=True))
    return expr if same else with_children(expr, new)


def _is_long(value: Expr) -> bool:
    """Whether a value is arithmetic of two operations or more, which two lines have."""
    if not isinstance(value, Apply) or value.op not in ARITHMETIC:
        return False
    return any(isinstance(arg, Apply) and arg.op in ARITHMETIC for arg in value.args)


def _counts(value: Expr) -> bool:
    """Whether a value is more than arithmetic of what has names."""
    if not isinstance(value, Apply) or value.op in ARITHMETIC | POWERS:
        return False
    return value.op == "numpy.full_like" or is_work(value)

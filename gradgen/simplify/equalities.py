"""What the gradient computes and the user has a name for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.walk import children, with_blocks, with_children, with_expressions
from gradgen.rules.load import operations

# kinds of rules, and endings of words, that make arrays to be filled
MADE = ("creation", "constant")
LIKE = ("_like", ".copy", ".array")


def equalities(function: Function) -> Function:
    """The function whose gradient reads what the primal has computed already.

        before:  mean = np.mean(x)
                 d = x - mean
                 d_x = d * (x - np.mean(x))
        after:   mean = np.mean(x)
                 d = x - mean
                 d_x = d * d

    Only values that the user has named, at the top of the function or in a loop that
    goes through both halves, and that are needed anyway: an expression in the gradient
    is no reason to keep a statement.
    """
    body = tuple(_read(function.body, {}, set()))
    return function if body == function.body else replace(function, body=body)


def _read(
    body: Iterable[Stmt], outer: dict[Expr, Var], known_ops: set[str]
) -> Iterator[Stmt]:
    known, ops = dict(outer), set(known_ops)

    def change(expr: Expr) -> Expr:
        if not ops or not isinstance(expr, Apply):
            return expr
        # A whole value stays: it may be memory that is stored into.
        old = children(expr)
        new = [_with_names(child, known, ops) for child in old]
        same = all(a is b for a, b in zip(old, new))
        return expr if same else with_children(expr, new)

    for stmt in body:
        if stmt.note.derived:
            stmt = with_expressions(stmt, change)
            yield with_blocks(stmt, lambda block: _read(block, known, ops))
            continue
        yield stmt
        if isinstance(stmt, Let) and stmt.var.origin is Origin.USER:
            value = stmt.value
            if isinstance(value, Apply) and _is_work(value):
                known.setdefault(change(value), stmt.var)
                known.setdefault(value, stmt.var)
                ops.add(value.op)


def _with_names(expr: Expr, known: dict[Expr, Var], ops: set[str]) -> Expr:
    """The expression with names for its parts, the innermost first."""
    if not isinstance(expr, Apply):
        return expr
    old = children(expr)
    new = [_with_names(child, known, ops) for child in old]
    if any(a is not b for a, b in zip(old, new)):
        expr = with_children(expr, new)
    if expr.op in ops and expr in known:
        return Ref(known[expr])
    return expr


def _is_work(value: Apply) -> bool:
    """Whether a value is computed of arguments, and is no memory to be stored into."""
    rule = operations().get(value.op)
    if rule is None or rule.kind in MADE or value.op.endswith(LIKE):
        return False
    return value.spelling != "augmented"

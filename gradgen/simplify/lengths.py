"""Lengths are read of what stands under a name last, so that the name may be given anew."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Role, Stmt, Var
from gradgen.ir.operators import MEASURES
from gradgen.ir.walk import map_expressions, own_expressions, rewrite, statements
from gradgen.ir.walk import subexpressions
from gradgen.shapes.infer import Facts

MEASURED = {"len", *MEASURES}


def lengths(function: Function, facts: Facts) -> Function:
    """The function that measures the newer of two arrays of one name and shape.

        before:  d_x = 3 * d_out / len(x) * x_new**2 * (1 - x_new**2)
        after:   d_x = 3 * d_out / len(x) * x**2 * (1 - x**2)

    So after x = np.tanh(x), where nothing else reads the first x any more, and the
    second one is there anyway.
    """
    body = function.body
    for param in function.params:
        place, new = _newer(body, param.var, facts)
        if new is not None:
            body = (*body[:place], *_measuring(body[place:], param.var, new))
    return function if body == function.body else replace(function, body=body)


def _newer(body: tuple[Stmt, ...], old: Var, facts: Facts) -> tuple[int, Var | None]:
    """The last variable of an argument's name, where it can be measured instead."""
    found, place = None, 0
    for i, stmt in enumerate(body):
        if isinstance(stmt, Let) and stmt.note.role is Role.FORWARD:
            if stmt.var.origin is Origin.USER and stmt.var.name == old.name:
                found, place = stmt.var, i + 1
    if found is None or facts.shapes[old].dims is None:
        return 0, None
    if facts.shapes[found] != facts.shapes[old]:
        return 0, None
    measured, read, alive = False, False, False
    for stmt in statements(body[place:]):
        for expr in own_expressions(stmt):
            own, other = _reads(expr, old), _reads(expr, found)
            measured, read = measured or own[0], read or own[1]
            alive = alive or other[1]
    return place, found if measured and not read and alive else None


def _reads(expr: Expr, var: Var) -> tuple[bool, bool]:
    """Whether an expression measures a variable, and whether it reads its entries."""
    measured = [
        node
        for node in subexpressions(expr)
        if isinstance(node, Apply)
        and node.op in MEASURED
        and node.args[:1] == (Ref(var),)
    ]
    every = sum(1 for node in subexpressions(expr) if node == Ref(var))
    return bool(measured), every > len(measured)


def _measuring(body: tuple[Stmt, ...], old: Var, new: Var) -> tuple[Stmt, ...]:
    def change(node: Expr) -> Expr:
        if isinstance(node, Apply) and node.op in MEASURED:
            if node.args[:1] == (Ref(old),):
                return replace(node, args=(Ref(new), *node.args[1:]))
        return node

    return tuple(map_expressions(body, lambda expr: rewrite(expr, change)))

"""The gradient of x @ x.T: one product of matrices, not two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Role
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import add, matmul, multiply
from gradgen.ir.walk import is_static, lets, static, substitute_everywhere, uses
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts
from gradgen.simplify.cleared import without
from gradgen.simplify.addends import sum_of, terms_of
from gradgen.simplify.counts import is_counted
from gradgen.simplify.fold import is_temporary


def gram(function: Function, facts: Facts) -> Function:
    """The function with a matrix and its transpose added before they are multiplied.

        before:  d_xxT = -2 * d_d2
                 d_x = d_xxT @ x + d_xxT.T @ x + d_y
        after:   d_xxT = -2 * d_d2
                 d_x = d_y - 2 * ((d_d2 + d_d2.T) @ x)

    So are x @ d and x @ d.T, and 2 * (d @ x) and d.T @ y, where y is 2 * x. A number in
    front of a matrix that nothing else reads goes in front of the product. Masks and
    integers are not added up.
    """
    counted = uses(function)

    def block(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
        multiples: dict[Var, tuple[Expr, Expr]] = {}
        for stmt in body:
            if not isinstance(stmt, Let):
                yield with_blocks(stmt, block)
                continue
            if stmt.note.derived:
                found = _multiple(stmt.value)
                if found and counted[stmt.var] == 2 and is_temporary(stmt):
                    multiples[stmt.var] = found
                stmt = replace(stmt, value=_together(stmt.value, multiples, facts))
            yield stmt

    body = tuple(block(function.body))
    if body == function.body:
        return function
    made = replace(function, body=body)
    left = uses(made)
    back: dict[Var, Expr] = {
        let.var: let.value
        for let in lets(body)
        if counted[let.var] > left[let.var] == 1 and let.var.origin is Origin.TEMP
        if let.note.role is Role.FORWARD and _multiple(let.value)
    }  # 2 * x, which the product alone reads again
    return without(substitute_everywhere(made, back), back) if back else made


def _multiple(value: Expr) -> tuple[Expr, Expr] | None:
    """The number and the matrix that a value is the product of."""
    if isinstance(value, Apply) and value.op == "numpy.multiply":
        number, matrix = value.args
        is_number = is_static(number) and isinstance(static(number), (int, float))
        if is_number and isinstance(matrix, Ref):
            return number, matrix
    return None


def _together(
    value: Expr, multiples: dict[Var, tuple[Expr, Expr]], facts: Facts
) -> Expr:
    """A sum in which the two products with a matrix and its transpose are one."""
    addends = list(terms_of(value))
    for at, (minus, first) in enumerate(addends):
        for behind, (also, second) in enumerate(addends[at + 1 :], at + 1):
            one = _joined(first, second, multiples, facts) if minus == also else None
            if one is not None:
                rest = addends[at + 1 : behind] + addends[behind + 1 :]
                flips, joined = one
                return sum_of([*addends[:at], (minus != flips, joined), *rest])
    return value


def _joined(
    first: Expr,
    second: Expr,
    multiples: dict[Var, tuple[Expr, Expr]],
    facts: Facts,
) -> tuple[bool, Expr] | None:
    """d @ x + d.T @ x, or x @ d + x @ d.T, as one product and its sign, or None."""
    found = _of_products(first, second, multiples, facts)
    if found is None:
        one, other = _scaled(first, facts), _scaled(second, facts)
        found = _of_one_number(one, other, multiples, facts)
    return found


Scaled = tuple[Expr, Expr]


def _scaled(expr: Expr, facts: Facts) -> Scaled | None:
    """The number and the product of 2 * (d @ x), and of d.T @ y where y is 2 * x."""
    if not isinstance(expr, Apply):
        return None
    if expr.op == "numpy.multiply" and isinstance(expr.args[0], Const):
        number, product = expr.args
        return (number, product) if _is_product(product) else None
    for side in (0, 1) if _is_product(expr) else ():
        given = expr.args[side]
        made = facts.definitions.get(given.var) if isinstance(given, Ref) else None
        found = _multiple(made) if made is not None else None
        if found is not None and isinstance(found[0], Const):
            args = [found[1], expr.args[1]] if side == 0 else [expr.args[0], found[1]]
            return found[0], replace(expr, args=tuple(args))
    return None


def _of_one_number(
    one: Scaled | None,
    other: Scaled | None,
    multiples: dict[Var, tuple[Expr, Expr]],
    facts: Facts,
) -> tuple[bool, Expr] | None:
    """The same of two products with one number in front."""
    if one is None or other is None or one[0] != other[0]:
        return None
    if one[1] == other[1]:  # of a d that is symmetric
        return False, multiply(Const(2 * static(one[0])), one[1])
    found = _of_products(one[1], other[1], multiples, facts)
    if found is None:
        return None
    flips, product = found
    return flips, multiply(one[0], product)


def _of_products(
    first: Expr,
    second: Expr,
    multiples: dict[Var, tuple[Expr, Expr]],
    facts: Facts,
) -> tuple[bool, Expr] | None:
    if not _is_product(first) or not _is_product(second):
        return None
    for side in (0, 1):
        d, x = first.args[side], first.args[1 - side]
        if second.args[1 - side] != x or not isinstance(d, Ref):
            continue
        turned = second.args[side]
        if not isinstance(turned, Apply) or turned.spelling != "attribute:T":
            continue
        if turned.args == (d,):
            number, matrix = multiples.get(d.var, (None, d))
            if is_counted(matrix, facts):
                return None
            both = add(matrix, replace(turned, args=(matrix,)))
            product = matmul(both, x) if side == 0 else matmul(x, both)
            if number is None:
                return False, product
            size = static(number)
            return size < 0, multiply(Const(abs(size)), product)
    return None


def _is_product(expr: Expr) -> bool:
    return isinstance(expr, Apply) and expr.op == "numpy.matmul" and not expr.kwargs

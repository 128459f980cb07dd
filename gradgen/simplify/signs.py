"""Adjoints that are the negative of another one are not computed apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.signs import signed
from gradgen.ir.operators import (
    ADDITIVE,
    ARRAY_PRODUCTS,
    IN_PLACE,
    MULTIPLICATIVE,
    add,
    negative,
    subtract,
)
from gradgen.ir.walk import children, reads, subexpressions, uses, with_blocks
from gradgen.ir.walk import with_children
from gradgen.simplify.combined import ADDITIONS
from gradgen.simplify.normal import LINEAR

# what adds its last argument to its first one
ADDED = ("accumulate", *ADDITIONS)
# operations whose sign is that of both arguments
LINEAR_IN_BOTH = MULTIPLICATIVE | ARRAY_PRODUCTS


def signs(function: Function) -> Function:
    """The function whose gradient subtracts, instead of adding what it has negated.

        before:  d_t = -d_e
                 d_x = d_z + d_t @ H
                 d_H = np.outer(d_v, v) + np.outer(d_t, x)
        after:   d_x = d_z - d_e @ H
                 d_H = np.outer(d_v, v) - np.outer(d_e, x)

    Of a subexpression's adjoint and its negative, which is an argument's, the second
    one is computed at once. Neither where more negatives would be left.
    """
    counted = uses(function)
    body = _block(function.body, counted)
    return function if body == function.body else replace(function, body=body)


def _block(source: Iterable[Stmt], counted: Counter[Var]) -> tuple[Stmt, ...]:
    body = [with_blocks(stmt, lambda b: _block(b, counted)) for stmt in source]
    for let in [stmt for stmt in body if isinstance(stmt, Let)]:
        other = _negated(let.value) if let.note.derived else None
        if (
            other is None
            or let not in body
            or any(_is_base(other, stmt) for stmt in body)
        ):
            continue
        # the user's own has a name, where it is the first: d_s = -d_out
        nameless = _is_temporary(let.var) or other.origin is Origin.ADJOINT
        found = _without(body, let, counted) if nameless else None
        if found is None:
            found = _at_once(body, let, other, counted)
        body = body if found is None else found
    return tuple(body)


def _negated(value: Expr) -> Var | None:
    """What a value is the negative of: a variable."""
    if isinstance(value, Apply) and value.op == "numpy.negative":
        if value.spelling == "operator" and isinstance(value.args[0], Ref):
            return value.args[0].var
    return None


def _is_temporary(var: Var) -> bool:
    """Whether a variable is the adjoint of a subexpression."""
    of = var.of
    return var.origin is Origin.ADJOINT and of is not None and of.origin is Origin.TEMP


def _without(body: list[Stmt], let: Let, counted: Counter[Var]) -> list[Stmt] | None:
    """The block without a negative, which its readers subtract."""
    readers = _readers(body, let.var, counted)
    if readers is None:
        return None
    changed = _changed(readers, let.var, let.value)
    if _negatives(changed.values()) > _negatives([*readers, let]):
        return None
    return [changed.get(stmt, stmt) for stmt in body if stmt is not let]


def _at_once(
    body: list[Stmt], let: Let, other: Var, counted: Counter[Var]
) -> list[Stmt] | None:
    """The block with an argument's adjoint in place of its negative."""
    if not _is_temporary(other) or let.var.origin is not Origin.ADJOINT:
        return None
    own = next((s for s in body if isinstance(s, Let) and s.var == other), None)
    readers = _readers(body, other, counted)
    value = None if own is None else _contrary(own.value)
    if own is None or readers is None or value is None:
        return None
    readers = [one for one in readers if one is not let]
    now = replace(let, value=value)
    changed = _changed(readers, other, negative(Ref(let.var)))
    if _negatives([*changed.values(), now]) > _negatives([*readers, let, own]):
        return None
    changed[own] = now
    return [changed.get(stmt, stmt) for stmt in body if stmt is not let]


def _contrary(value: Expr) -> Expr | None:
    """A product with the other sign, where that is no operation more."""
    if isinstance(value, Const):
        return signed("USub", value)
    if not isinstance(value, Apply) or value.spelling != "operator":
        return None
    if value.op == "numpy.negative":
        return value.args[0]
    if value.op in LINEAR_IN_BOTH:
        first = _contrary(value.args[0])
        return first and with_children(value, (first, value.args[1]))
    return None


def _readers(body: list[Stmt], var: Var, counted: Counter[Var]) -> list[Let] | None:
    """The statements of the gradient that read a variable, if all are of the block."""
    found = [s for s in body if isinstance(s, Let) and var in reads(s.value)]
    here = sum(reads(let.value).count(var) for let in found)
    if here != counted[var] or not all(let.note.derived for let in found):
        return None
    return None if any(_is_base(var, let) for let in found) else found


def _is_base(var: Var, stmt: Stmt) -> bool:
    """Whether a statement changes what a variable stands for."""
    value = stmt.value if isinstance(stmt, Let) else None
    changes = isinstance(value, Apply) and value.op in IN_PLACE
    return changes and isinstance(value, Apply) and var in reads(value.args[0])


def _changed(readers: list[Let], var: Var, value: Expr) -> dict[Stmt, Let]:
    """The readers with a negative for the variable, its sign as far out as it goes."""
    return {let: replace(let, value=_top(let.value, var, value)) for let in readers}


def _top(expr: Expr, var: Var, value: Expr) -> Expr:
    if isinstance(expr, Apply) and expr.op in ADDED:
        old = children(expr)
        new = [_top(one, var, value) for one in old]
        return with_children(expr, new)
    return _shown(*_signed(expr, var, value))


def _shown(minus: bool, expr: Expr) -> Expr:
    """An expression with its sign: -a - b, not -(a + b)."""
    if not minus:
        return expr
    if isinstance(expr, Apply) and expr.op == "numpy.add":
        if expr.spelling == "operator":
            return subtract(_shown(True, expr.args[0]), expr.args[1])
    return negative(expr)


def _signed(expr: Expr, var: Var, value: Expr) -> tuple[bool, Expr]:
    """(has a minus, the rest) with a negative for the variable."""
    if expr == Ref(var):
        assert isinstance(value, Apply)
        return True, value.args[0]
    if not isinstance(expr, Apply) or var not in reads(expr):
        return False, expr
    args = [_signed(arg, var, value) for arg in expr.args]
    if expr.op == "numpy.negative" and expr.spelling == "operator":
        return not args[0][0], args[0][1]
    if expr.op in LINEAR_IN_BOTH and len(args) == 2 and not expr.kwargs:
        minus = args[0][0] ^ args[1][0]
        return minus, replace(expr, args=tuple(arg for _, arg in args))
    if (
        expr.op in LINEAR
        and "initial" not in dict(expr.kwargs)
        and var not in reads(Apply("tuple", expr.args[1:]))
    ):
        if all(var not in reads(one) for _, one in expr.kwargs):
            return args[0][0], replace(expr, args=(args[0][1], *expr.args[1:]))
    if expr.op in ADDITIVE and expr.spelling == "operator":
        (first, a), (second, b) = args
        second ^= expr.op == "numpy.subtract"
        if first == second:
            return first, add(a, b)
        return False, subtract(b, a) if first else subtract(a, b)
    shown = [_shown(*_signed(child, var, value)) for child in children(expr)]
    return False, with_children(expr, shown)


def _negatives(lets: Iterable[Let]) -> int:
    """How many negatives are computed; what is added up may be subtracted."""
    total = 0
    for let in lets:
        value: Expr = let.value
        total += sum(
            1
            for one in subexpressions(value)
            if isinstance(one, Apply) and one.op == "numpy.negative"
        )
        if isinstance(value, Apply) and value.op in ADDED:
            last = value.args[-1]
            total -= isinstance(last, Apply) and last.op == "numpy.negative"
    return total

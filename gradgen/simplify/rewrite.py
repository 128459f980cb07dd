"""Identities of NumPy operations, one line each: what stands left becomes right."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Role
from gradgen.ir.operators import (
    ADDITIVE,
    EQUALITIES,
    MULTIPLICATIVE,
    ONES,
    TOTALS,
    call,
    lift,
    matmul,
    negative,
)
from gradgen.ir.walk import lets, map_values, rewrite, static, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal
from gradgen.simplify.common_sums import with_common_factor
from gradgen.simplify.counts import is_data
from gradgen.simplify.eyes import of_identity, scaled, square, trace, without_eye
from gradgen.simplify.exponents import with_surely_less
from gradgen.simplify.repeated_rows import FILLED, added_to_filled, part_of_filled
from gradgen.simplify.single_axes import WHOLE, dropped, put_back
from gradgen.simplify.turned_sums import of_turned


def identities(function: Function, facts: Facts) -> Function:
    """The function with each adjoint's operations in their shorter form.

    before:  d_x = np.sum(d_z, axis=1, keepdims=True)[:, 0]
    after:   d_x = np.sum(d_z, axis=1)
    """

    eyes = {
        let.var: let.value
        for let in lets(function.body)
        if let.note.role is not Role.FORWARD
        if getattr(scaled(let.value, facts)[1], "op", "") == "numpy.eye"
    }

    def shorter(expr: Expr) -> Expr:
        return _shorter(without_eye(expr, eyes, facts) if eyes else expr, facts)

    def change(let: Let) -> Expr:
        if let.note.role is Role.FORWARD:
            return _without_before(let.value)
        return rewrite(let.value, shorter)

    return map_values(function, change)


def _without_before(value: Expr) -> Expr:
    """A store into a list without what was there before, which the rule alone reads."""
    if isinstance(value, Apply) and value.op == "put":
        return replace(value, args=value.args[:3])
    return value


def _is_full(values: tuple[Expr, ...], like: Apply, facts: Facts) -> bool:
    """Whether a value has been stretched to the shape of the same array before."""
    if not values:
        return False
    (value,) = values
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    if not isinstance(made, Apply) or made.op != like.op or made.kwargs or like.kwargs:
        return False
    return made.args[0] == like.args[0]


def _untyped(value: Expr) -> Expr:
    """An adjoint with axes at its end in whatever dtype, in products as well."""
    if not isinstance(value, Apply):
        return value
    if value.op in MULTIPLICATIVE and value.spelling == "operator":
        return with_children(value, map(_untyped, value.args))
    inner = value.args[0] if value.op in ("getitem", "numpy.expand_dims") else None
    if isinstance(inner, Apply) and inner.op == "numpy.asarray":
        if [name for name, _ in inner.kwargs] == ["dtype"] and len(inner.args) == 1:
            added = Const(-1) if value.op == "getitem" else value.args[1]
            if value.op != "getitem" or value.args[1] == lift((..., None)):
                return call("numpy.expand_dims", inner.args[0], added)
    return value


def _shorter(expr: Expr, facts: Facts) -> Expr:
    if not isinstance(expr, Apply):
        return expr
    # A @ np.outer(u, v) @ B -> np.outer(A @ u, v @ B)
    if expr.op == "numpy.matmul" and any(map(_is_outer, expr.args)):
        return _outer_of_products(expr, facts)
    # A @ (c * np.eye(n)) -> c * A
    if expr.op == "numpy.matmul":
        expr = of_identity(expr, facts)
        if not isinstance(expr, Apply):
            return expr
    # 1 / p - (1 / p != 0) -> 1 / p - 1
    if len(expr.args) > 1:
        expr = with_surely_less(expr, facts)
    # np.eye(n, n) -> np.eye(n)
    if expr.op == "numpy.eye":
        return square(expr, facts)
    # np.full_like(A, row) + other -> np.full_like(A, row + other), of rows
    if expr.op in ADDITIVE and any(getattr(a, "op", "") == FILLED for a in expr.args):
        expr = added_to_filled(expr, facts)
    # d * np.ones(n) -> d
    if expr.op == "numpy.multiply":
        return _of_ones(expr, facts)
    # x += 0 -> x
    if expr.op == "accumulate" and expr.args[1] in (Const(0), Const(0.0)):
        return expr.args[0]
    # np.where(m, 0, 0) -> 0, of numbers
    if expr.op == "numpy.where" and set(expr.args[1:]) <= {Const(0), Const(0.0)}:
        if len(expr.args) == 3 and facts.rank(expr.args[0]) == 0:
            return Const(0)
        # ... of arrays, which may be stored into: not of integers
        return replace(
            expr, args=(*expr.args[:1], *(Const(0.0) for _ in expr.args[1:]))
        )
    # 0.0 / np.sum(hits) -> 0.0: there is a hit where anything reads it
    if expr.op == "numpy.divide" and expr.args[0] == Const(0.0):
        if _is_count_of_hits(expr.args[1], facts):
            return Const(0.0)
    # x + np.where(m, 0.0, 0.0) -> x
    if expr.op in ADDITIVE and _is_zeros(expr.args[1]):
        if equal(facts.of(expr), facts.of(expr.args[0])):
            return expr.args[0]
    # np.full_like(x, np.full_like(x, d)) -> np.full_like(x, d)
    if expr.op == "numpy.full_like" and _is_full(expr.args[1:2], expr, facts):
        return expr.args[1]
    # np.full_like(x, np.asarray(d, dtype=x.dtype)[..., None]) has a dtype anyway
    if expr.op == "numpy.full_like":
        return replace(expr, args=(*expr.args[:1], *map(_untyped, expr.args[1:])))
    # d[...] -> d
    if expr.op == "getitem" and expr.args[1] in (Const(...), WHOLE):
        return expr.args[0]
    # x - np.mean(x, keepdims=True) -> x - np.mean(x)
    if expr.op in ADDITIVE or expr.op in MULTIPLICATIVE or expr.op in EQUALITIES:
        expr = _with_numbers(expr)
    inner = expr.args[0] if expr.args else None
    if not isinstance(inner, Apply):
        return expr
    # --x -> x
    if expr.op == inner.op == "numpy.negative":
        return inner.args[0]
    # len(np.array(xs)) -> len(xs), of a list
    if expr.op == "len" and inner.op == "stacked":
        return replace(expr, args=inner.args[:1])
    # -p != 0 -> p != 0
    if expr.op in EQUALITIES and inner.op == "numpy.negative":
        if expr.args[1] == Const(0):
            return replace(expr, args=(inner.args[0], expr.args[1]))
    # np.sum(d * a) - np.sum(d * b) -> np.sum(d * (a - b))
    if expr.op in ADDITIVE and inner.op == "numpy.sum":
        return with_common_factor(expr, facts)
    # np.where(m, a, b) + np.where(m, c, 0) -> np.where(m, a + c, b)
    if expr.op in ADDITIVE and inner.op == "numpy.where":
        return _chosen_once(expr, inner, expr.args[1])
    # sums of a and of b to the shape of x, added -> the sum of a + b
    if expr.op in ADDITIVE and inner.op == "helper._unbroadcast":
        return _summed_together(expr, inner, expr.args[1], facts)
    # np.array(list(x)) -> x
    if expr.op == "stacked" and inner.op == "entries":
        return inner.args[0]
    # x.T.T -> x
    if expr.op == inner.op == "numpy.transpose":
        if len(expr.args) == len(inner.args) == 1:
            return inner.args[0]
    # (a.T @ b).T -> b.T @ a, of matrices: a stack's axes are turned round as well
    if expr.spelling == "attribute:T" and inner.op == "numpy.matmul":
        left, right = inner.args
        if isinstance(left, Apply) and left.spelling == "attribute:T":
            if facts.rank(left) == 2 and facts.rank(right) in (1, 2):
                flipped = Apply("numpy.transpose", (right,), spelling="attribute:T")
                return replace(inner, args=(_shorter(flipped, facts), left.args[0]))
        # (a @ b.T).T -> b @ a.T
        if isinstance(right, Apply) and right.spelling == "attribute:T":
            if facts.rank(left) == facts.rank(right) == 2:
                flipped = Apply("numpy.transpose", (left,), spelling="attribute:T")
                return replace(inner, args=(right.args[0], _shorter(flipped, facts)))
    # np.full_like(A, row)[0] -> row
    if inner.op == FILLED and (expr.op == "getitem" or expr.spelling == "attribute:T"):
        return part_of_filled(expr, inner, facts)
    # np.outer(u, v).T -> np.outer(v, u)
    if expr.spelling == "attribute:T" and _is_outer(inner):
        return replace(inner, args=inner.args[::-1])
    if expr.op == "numpy.swapaxes":
        return _swapped_back(expr, inner, facts)
    # np.reshape(np.reshape(x, s), t) -> np.reshape(x, t), entries in the same order
    if expr.op == inner.op == "numpy.reshape" and _orders(expr) == _orders(inner):
        return replace(expr, args=(inner.args[0], *expr.args[1:]))
    # np.sum(A.T, axis=1) -> np.sum(A, axis=0)
    if expr.op in TOTALS and inner.spelling == "attribute:T":
        return of_turned(expr, facts)
    # np.sum(d * np.eye(n)) -> np.trace(d)
    if expr.op == "numpy.sum" and inner.op == "numpy.multiply" and not expr.kwargs:
        return trace(expr, inner, facts)
    # np.sum(x, axis=k, keepdims=True)[..., 0, ...] -> np.sum(x, axis=k)
    if expr.op == "getitem" and inner.op == "numpy.sum":
        kwargs = dict(inner.kwargs)
        if kwargs.get("keepdims") == Const(True) and "axis" in kwargs:
            axes = static(kwargs["axis"])
            rank = facts.rank(inner)
            found = (axes,) if isinstance(axes, int) else axes
            if rank is not None and isinstance(found, tuple):
                found = tuple(sorted(axis % rank for axis in found))
            if dropped(expr.args[1], rank) == found:
                return replace(inner, kwargs=(("axis", kwargs["axis"]),))
    # x[..., 0][..., None] -> x, of an axis of length 1
    if expr.op == inner.op == "getitem":
        return put_back(expr, inner, facts)
    return expr


def _with_numbers(expr: Apply) -> Apply:
    """An operation on an array and a reduction of all of it, which needs no axes of 1."""
    for one, other in (expr.args, expr.args[::-1]):
        if isinstance(other, Apply) and other.args == (one,) and isinstance(one, Ref):
            if other.kwargs == (("keepdims", Const(True)),):
                number = replace(other, kwargs=())
                given = (number if arg is other else arg for arg in expr.args)
                return replace(expr, args=tuple(given))
    return expr


def _orders(reshaped: Apply) -> tuple[Expr, ...]:
    """In what order a reshape reads entries, where it does not say so itself."""
    said = [value for name, value in reshaped.kwargs if name == "order"]
    said += reshaped.args[2:]
    return tuple(one for one in said if one != Const("C"))


def _is_outer(expr: Expr) -> TypeGuard[Apply]:
    return isinstance(expr, Apply) and expr.op == "numpy.outer" and not expr.kwargs


def _outer_of_products(product: Apply, facts: Facts) -> Expr:
    """A product of a matrix and an outer one as the outer one of a product."""
    left, right = product.args
    if any(facts.rank(side) != 2 for side in product.args):
        return product
    if _is_outer(left):
        u, v = left.args
        if facts.rank(u) == facts.rank(v) == 1 and not (
            is_data(v, facts) and is_data(right, facts)
        ):
            return replace(left, args=(u, matmul(v, right)))
    if _is_outer(right):
        u, v = right.args
        if facts.rank(u) == facts.rank(v) == 1 and not (
            is_data(left, facts) and is_data(u, facts)
        ):
            if isinstance(left, Apply) and left.op == "numpy.negative":
                return replace(right, args=(negative(matmul(left.args[0], u)), v))
            return replace(right, args=(matmul(left, u), v))
    return product


def _is_count_of_hits(value: Expr, facts: Facts) -> bool:
    """Whether a value is how many entries a mask has: np.sum(x == top, axis=1)."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    if not isinstance(made, Apply) or made.op != "numpy.sum":
        return False
    return facts.is_boolean(made.args[0])


def _is_zeros(value: Expr) -> bool:
    """Whether a value is a choice of nothing: np.where(m, 0.0, 0.0)."""
    if not isinstance(value, Apply) or value.op != "numpy.where":
        return False
    return len(value.args) == 3 and set(value.args[1:]) <= {Const(0), Const(0.0)}


def _of_ones(product: Apply, facts: Facts) -> Expr:
    """A product with ones of which it has no other shape, as the other factor."""
    for one, other in (product.args, product.args[::-1]):
        made = facts.definitions.get(one.var) if isinstance(one, Ref) else one
        if not isinstance(made, Apply) or made.op not in ONES:
            continue
        alike = equal(facts.of(product), facts.of(other))
        if alike and facts.kind(product) is facts.kind(other):
            return other
    return product


def _swapped_back(expr: Apply, inner: Apply, facts: Facts) -> Expr:
    """A stack of matrices without what is transposed twice."""
    # np.swapaxes(np.swapaxes(x, -1, -2), -1, -2) -> x
    if inner.op == expr.op and inner.args[1:] == expr.args[1:]:
        return inner.args[0]
    axes = expr.args[1:]
    if inner.op != "numpy.matmul" or {static(one) for one in axes} != {-1, -2}:
        return expr
    left, right = inner.args
    if not all((facts.rank(side) or 0) >= 2 for side in inner.args):
        return expr
    # the transpose of a.T @ b is b.T @ a, and that of a @ b.T is b @ a.T
    for turned, other in ((left, right), (right, left)):
        if isinstance(turned, Apply) and turned.op == expr.op:
            if turned.args[1:] == axes:
                flipped = replace(expr, args=(other, *axes), spelling="method:swapaxes")
                one = _shorter(flipped, facts)
                sides = (
                    (one, turned.args[0]) if turned is left else (turned.args[0], one)
                )
                return replace(inner, args=sides)
    return expr


def _summed_together(total: Apply, left: Apply, right: Expr, facts: Facts) -> Expr:
    """A sum of two sums to one shape as one, where what they sum is of one shape."""
    if not isinstance(right, Apply) or right.op != left.op:
        return total
    (a, target), (b, other) = left.args, right.args
    if target != other or not equal(facts.of(a), facts.of(b)):
        return total
    return replace(left, args=(replace(total, args=(a, b)), target))


def _chosen_once(total: Apply, left: Apply, right: Expr) -> Expr:
    """A sum of two choices by one mask as one choice: way by way, where 0 adds nothing."""
    if not isinstance(right, Apply) or right.op != "numpy.where":
        return total
    if not len(left.args) == len(right.args) == 3:
        return total
    left, right = _by_mask(left, right.args[0]), _by_mask(right, left.args[0])
    if left.args[0] != right.args[0]:
        return total
    zeros = (Const(0), Const(0.0))
    ways = []
    for one, other in zip(left.args[1:], right.args[1:]):
        if other in zeros:
            ways.append(one)
        elif one in zeros:
            ways.append(negative(other) if total.op == "numpy.subtract" else other)
        else:
            ways.append(replace(total, args=(one, other)))
    return replace(left, args=(left.args[0], *ways))


def _by_mask(choice: Apply, mask: Expr) -> Apply:
    """A choice inside another one as a choice by its own mask, where the rest is 0.

    before:  np.where(test, np.where(mask, 0, d), 0)
    after:   np.where(mask, 0, np.where(test, d, 0))
    """
    test, inner, zero = choice.args
    if test == mask or zero not in (Const(0), Const(0.0)):
        return choice
    if not isinstance(inner, Apply) or inner.op != choice.op or inner.args[0] != mask:
        return choice
    ways = inner.args[1:]
    if len(ways) != 2 or zero not in ways:
        return choice
    within = (
        one if one == zero else replace(choice, args=(test, one, zero)) for one in ways
    )
    return replace(inner, args=(mask, *within))

"""Sums that are divided by the number of their terms are means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import multiply
from gradgen.ir.walk import is_static, rewrite, static, substitute, uses, with_blocks
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.simplify.terms import shortest


def means(function: Function, facts: Facts) -> Function:
    """The function whose gradient takes means, as people write them.

        before:  mean = np.mean(x)
                 c = x - mean
                 d_mean = -np.sum(d_c)
                 d_x = d_c + d_mean / len(x)
                 return d_x
        after:   mean = np.mean(x)
                 c = x - mean
                 d_x = d_c - np.mean(d_c)
                 return d_x

    The adjoint of a mean of the user's is a sum that is divided by a length at once:
    where nothing else reads it, both are one mean.
    """
    facts = facts.remembering()
    body = tuple(_block(function.body, uses(function), facts))
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], counted: Counter[Var], facts: Facts
) -> Iterator[Stmt]:
    waiting: dict[Var, Let] = {}
    done: list[Stmt] = []
    for stmt in source:
        if not isinstance(stmt, Let):
            done.append(with_blocks(stmt, lambda b: _block(b, counted, facts)))
            continue
        if stmt.note.derived:
            stmt = _with_adjoints(stmt, waiting, done, facts)
            value = rewrite(stmt.value, lambda expr: _mean(expr, facts))
            stmt = stmt if value == stmt.value else replace(stmt, value=value)
            if counted[stmt.var] == 1 and _is_of_a_mean(stmt, facts):
                waiting[stmt.var] = stmt
        done.append(stmt)
    yield from done


def _with_adjoints(
    let: Let, waiting: dict[Var, Let], done: list[Stmt], facts: Facts
) -> Let:
    """The statement with the adjoints of means in it, which then have no line."""
    for var, other in waiting.items():
        value = substitute(let.value, {var: other.value})
        if value is let.value or _made(value, facts) == _made(let.value, facts):
            continue
        done.remove(other)
        short = shortest(value, facts)
        return replace(let, value=short)
    return let


def _made(value: Expr, facts: Facts) -> int:
    """How many sums of an expression are means."""
    found: list[Expr] = []

    def change(expr: Expr) -> Expr:
        new = _mean(expr, facts)
        if new is not expr:
            found.append(new)
        return new

    rewrite(value, change)
    return len(found)


def _is_of_a_mean(let: Let, facts: Facts) -> bool:
    """Whether it is the adjoint of a mean that the user has named."""
    of = let.var.of
    if let.var.origin is not Origin.ADJOINT or of is None:
        return False
    value = facts.definitions.get(of)
    return isinstance(value, Apply) and value.op == "numpy.mean"


def _mean(expr: Expr, facts: Facts) -> Expr:
    """The mean for a product with a sum in it that is divided by its length."""
    if not isinstance(expr, Apply) or expr.op != "numpy.divide":
        return expr
    number = _length(expr.args[1], facts)
    found = None if number is None else _with_mean(expr.args[0], number, facts)
    return expr if found is None else found


def _with_mean(expr: Expr, number: Dim, facts: Facts) -> Expr | None:
    """The product with the mean of so many terms for its sum; None without one."""
    if not isinstance(expr, Apply):
        return None
    if expr.op == "numpy.sum":
        if _terms(expr, facts) != number:
            return None
        return Apply("numpy.mean", expr.args, expr.kwargs)
    if expr.op == "numpy.negative" or expr.op == "numpy.divide":
        inner = _with_mean(expr.args[0], number, facts)
        if inner is not None:
            return replace(expr, args=(inner, *expr.args[1:]))
    if expr.op == "numpy.multiply":
        for at, arg in enumerate(expr.args):
            inner = _with_mean(arg, number, facts)
            if inner is not None:
                args = list(expr.args)
                args[at] = inner
                return multiply(*args)
    return None


def _terms(expr: Apply, facts: Facts) -> Dim | None:
    """How many terms each entry of a sum has."""
    names = [name for name, _ in expr.kwargs]
    dims = facts.of(expr.args[0]).dims
    if len(expr.args) != 1 or not dims or not set(names) <= {"axis", "keepdims"}:
        return None
    axis = dict(expr.kwargs).get("axis", Const(None))
    if not is_static(axis):
        return None
    axes = static(axis)
    if axes is None:
        axes = range(len(dims))
    total = Dim.of(1)
    for one in (axes,) if isinstance(axes, int) else axes:
        if type(one) is not int or not -len(dims) <= one < len(dims):
            return None
        total = total * dims[one]
    return total


def _length(expr: Expr, facts: Facts) -> Dim | None:
    """The number that an expression of lengths is."""
    if isinstance(expr, Ref):
        known = facts.definitions.get(expr.var)
        return None if known is None else _length(known, facts)
    if isinstance(expr, Const):
        return Dim.of(expr.value) if type(expr.value) is int else None
    if not isinstance(expr, Apply):
        return None
    if expr.op == "numpy.size" and len(expr.args) == 1:
        total = Dim.of(1)
        dims = facts.of(expr.args[0]).dims
        for dim in dims or ():
            total = total * dim
        return None if dims is None else total
    if expr.op == "numpy.multiply":
        one, other = (_length(arg, facts) for arg in expr.args)
        return None if one is None or other is None else one * other
    if expr.op == "len" or expr.op == "getitem":
        return facts.dim(expr)
    return None

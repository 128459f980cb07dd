"""One operation for each assignment, as a derivative is taken of a primal's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import LINEAR_WORDS
from gradgen.ir.temporaries import temporary_name
from gradgen.ir.walk import (
    children,
    lets,
    map_expressions,
    reads_of,
    rewrite,
    statements,
    with_blocks,
    with_children,
)
from gradgen.rules.load import operations
from gradgen.rules.binding import bind
from gradgen.shapes.infer import Facts

LITERALS = ("tuple", "list")


def flat(
    function: Function,
    facts: Facts,
    supply: Supply,
    origin: Origin = Origin.LOCAL,
) -> Function:
    """The function with its nested operations taken apart.

        before:  d_x = 2 * (d_y * np.cos(x))
                 return d_x
        after:   x_cos = np.cos(x)
                 d_y_x_cos = d_y * x_cos
                 d_x = 2 * d_y_x_cos
                 return d_x

    Only what an operation is differentiable in gets a name; subscripts, axes and
    shapes stay where they are. The names are of the sort `origin`.
    """

    def made(value: Apply, let: Let) -> Let:
        var = supply.var(temporary_name(value, let.var.name), origin)
        facts.learn(Let(var, value, let.note))
        return Let(var, value, let.note)

    function = _without_tuples(function, made)
    body = tuple(_block(function.body, made))
    return function if body == function.body else replace(function, body=body)


def _without_tuples(function: Function, made: Callable[..., Any]) -> Function:
    """The function with the items of its tuples under names of their own.

    before:  ends = a - 1, b + 1       after:  inner = a - 1
             x = ends[0]                       inner_2 = b + 1
                                               x = inner
    """
    tuples: dict[Var, list[Let]] = {}
    items: dict[Var, list[Expr]] = {}
    for let in lets(function.body):
        value = let.value
        if let.note.derived and isinstance(value, Apply) and value.op == "tuple":
            named = {
                i: made(item, let)
                for i, item in enumerate(value.args)
                if isinstance(item, Apply)
            }
            tuples[let.var] = list(named.values())
            items[let.var] = [
                Ref(named[i].var) if i in named else item
                for i, item in enumerate(value.args)
            ]
    if not tuples:
        return function

    def change(node: Expr) -> Expr:
        if isinstance(node, Apply) and node.op == "getitem":
            base, key = node.args
            if isinstance(base, Ref) and base.var in items and isinstance(key, Const):
                item: Expr = items[base.var][key.value]
                return item
        return node

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Let) and stmt.var in tuples:
                yield from tuples[stmt.var]
            yield with_blocks(stmt, block)

    body = map_expressions(tuple(block(function.body)), lambda e: rewrite(e, change))
    read = {var for stmt in statements(body) for var in reads_of(stmt)}

    def kept(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(
            with_blocks(stmt, kept)
            for stmt in body
            if not (isinstance(stmt, Let) and stmt.var in tuples.keys() - read)
        )

    return replace(function, body=kept(body))


def _block(body: Iterable[Stmt], made: Callable[..., Any]) -> Iterator[Stmt]:
    for stmt in body:
        if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
            before: list[Let] = []
            value = _apart(stmt.value, stmt, before, made)
            yield from before
            yield stmt if not before else replace(stmt, value=value)
        else:
            yield with_blocks(stmt, lambda b: _block(b, made))


def _apart(expr: Apply, let: Let, before: list[Let], made: Callable[..., Any]) -> Apply:
    """The operation on names; `before` gets the assignments that make them."""

    def named(value: Expr) -> Expr:
        if not isinstance(value, Apply):
            return value
        if value.op in LITERALS:
            return with_children(value, map(named, children(value)))
        before.append(made(_apart(value, let, before, made), let))
        return Ref(before[-1].var)

    chosen = set(map(id, _differentiable(expr)))
    return with_children(
        expr,
        [named(child) if id(child) in chosen else child for child in children(expr)],
    )


def _differentiable(expr: Apply) -> Iterator[Expr]:
    """The arguments that an operation has a derivative in."""
    rule = operations().get(expr.op)
    if rule is not None:
        names = rule.differentiable
        for param, bound in bind(rule, expr).items():
            if param.name in names and bound != Const(None):
                yield bound
                if isinstance(bound, Apply) and bound.op in LITERALS:
                    yield from bound.args
    elif expr.op in LINEAR_WORDS:
        for place in LINEAR_WORDS[expr.op] or range(len(expr.args)):
            yield expr.args[place]

"""Long lines of the gradient are cut: a part gets a line and a name of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Role, Supply
from gradgen.ir.temporaries import part_name
from gradgen.ir.walk import rewrite, subexpressions

WIDTH = 88
# A shorter part is not worth a name.
SHORTEST = 14
STRUCTURE = ("tuple", "list", "slice")


def cut(function: Function, width_of: Callable, indent: int) -> Function:
    """The function with a named part for each line of the gradient that is too long.

        before:  d_s = d_w + np.where(hits, d_t / np.sum(hits, axis=-1, keepdims=True), 0)
        after:   hits_sum = np.sum(hits, axis=-1, keepdims=True)
                 d_s = d_w + np.where(hits, d_t / hits_sum, 0)

    `width_of(let)` is the length of a statement, `width_of(expr)` of an expression.
    """
    supply = Supply(1 + max((let.var.id for let in function.body), default=0))
    body: list[Let] = []
    for let in function.body:
        room = WIDTH - indent
        long = let.note.role is Role.GRAD and width_of(let) > room
        part = _part(let, width_of, room) if long else None
        if part is not None:
            name = part_name(part, let.var.name)
            var = supply.var(name, Origin.LOCAL, let.var.of)
            body.append(Let(var, part, let.note))
            let = replace(let, value=rewrite(let.value, _replacing(part, Ref(var))))
        body.append(let)
    changed = len(body) > len(function.body)
    return replace(function, body=tuple(body)) if changed else function


def _replacing(part: Expr, ref: Ref) -> Callable[[Expr], Expr]:
    return lambda node: ref if node == part else node


def _part(let: Let, width_of: Callable, room: int) -> Expr | None:
    """The part whose line and rest come out most alike, and fit where any does."""
    total = width_of(let)
    best, best_width = None, total
    for node in subexpressions(let.value):
        if node is let.value or not isinstance(node, Apply) or node.op in STRUCTURE:
            continue
        width = width_of(node)
        if width < SHORTEST:
            continue
        name = len(part_name(node, let.var.name))
        longest = max(width + name + 3, total - width + name)
        if longest < best_width:
            best, best_width = node, longest
    return best

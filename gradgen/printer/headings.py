"""The comments above adjoints: which line of the source each is the gradient of."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Let, Line, Origin, Role, Stmt, Var
from gradgen.ir.walk import lets, statements


def headings(
    removed: dict[Var, tuple[Line, ...]],
) -> Callable[[Stmt], tuple[list[str], list[str]]]:
    """What stands above each adjoint: stacked lines, and its own.

    One line of the source: "Grad of: XX = X * X". Several: "Grad of: X, used in
    similarity and xnorm". The lines of adjoints that were only other names stack
    on the next. A line without text is no line of the source: its comment stands.
    """

    def above(let: Stmt) -> tuple[list[str], list[str]]:
        lines = let.note.lines
        if lines and not lines[0].text:
            return [], list(lines[0].comments)
        if not isinstance(let, Let):
            return [], [f"Grad of: {line.text}" for line in lines[:1]]
        targets = list(dict.fromkeys(line.target or line.text for line in lines))
        if len(targets) > 1 and let.var.of is not None:
            used = ", ".join(targets[:-1]) + " and " + targets[-1]
            return [], [f"Grad of: {_primal(let.var.of).name}, used in {used}"]
        own = [f"Grad of: {line.text}" for line in lines]
        stacked = [f"Grad of: {line.text}" for line in removed.get(let.var, ())]
        return [text for text in stacked if text not in own], own

    return above


def _primal(var: Var) -> Var:
    """The variable of the primal that an adjoint or a tangent belongs to."""
    while var.origin in (Origin.ADJOINT, Origin.TANGENT) and var.of is not None:
        var = var.of
    return var


def removed_lines(
    before: tuple[Stmt, ...], after: tuple[Stmt, ...]
) -> dict[Var, tuple[Line, ...]]:
    """The lines of user adjoints that are gone, by the adjoint that follows them."""
    around = {
        line
        for stmt in statements(before)
        if not isinstance(stmt, Let)
        for line in stmt.note.lines
    }
    # A line whose block is there needs no second heading.
    around |= {
        line
        for let in lets(after)
        if let.note.role is Role.GRAD
        for line in let.note.lines
    }
    left = {let.var for let in lets(after)}
    found: dict[Var, tuple[Line, ...]] = {}
    pending: tuple[Line, ...] = ()
    for let in lets(before):
        if let.note.role is Role.FORWARD:
            continue
        if let.var in left:
            found[let.var] = pending
            pending = ()
        elif let.var.of is not None and let.var.of.origin is Origin.USER:
            pending += tuple(line for line in let.note.lines if line not in around)
    return found

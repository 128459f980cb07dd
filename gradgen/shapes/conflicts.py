"""What is told where shapes do not fit: the operands in the user's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Let, Stmt
from gradgen.ir.operators import getitem
from gradgen.ir.worded import worded
from gradgen.shapes.shape import FITTING, ShapeConflict, show_dims

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def refused(
    facts: Facts, stmt: Stmt, conflict: ShapeConflict, perhaps: bool = False
) -> GradgenError:
    """The refusal of a statement; `perhaps`: not each run reaches it."""
    message = told(facts, stmt, conflict) if isinstance(stmt, Let) else str(conflict)
    refusal = GradgenError("GG401", message, advice=conflict.advice)
    refusal.unequal, refusal.surely = conflict.unequal, not perhaps
    refusal.contracted = conflict.contracted
    refusal.stretches = conflict.stretches
    return refusal.at(stmt.note.place)


def refused_inside(stmt: Stmt, conflict: ShapeConflict) -> GradgenError:
    """The refusal of a statement of a gradient: the line that it comes from is named."""
    message = str(conflict)
    if conflict.unequal is not None:
        x, y = conflict.unequal
        message = f"{x} and {y} differ, which its gradient takes for one size"
    refusal = GradgenError("GG401", message, advice=conflict.advice)
    refusal.unequal = conflict.unequal
    return refusal.at(stmt.note.place)


def told(facts: Facts, let: Let, conflict: ShapeConflict) -> str:
    """The message of a conflict in a statement, with each operand and its shape.

    before:  the sizes d and n differ, of W @ x
    after:   W is (h, d), x is (n, k): d and n differ
    """
    reason = str(conflict)
    if conflict.unequal is not None and conflict.advice == FITTING:
        x, y = conflict.unequal
        reason = (
            f"{x} and {y} {'differ' if conflict.contracted else 'do not broadcast'}"
        )
    shown = ", ".join(dict.fromkeys(_operands(facts, let)))
    return f"{shown}: {reason}" if shown else str(conflict)


def _operands(facts: Facts, let: Let) -> Iterator[str]:
    found = []
    for operand in _parts(let.value):
        try:
            dims = facts.of(operand).dims
        except ShapeConflict:  # a part of the statement that has its own reason
            if not isinstance(operand, Apply) or operand.op != "getitem":
                continue
            operand = operand.args[0]
            dims = facts.of(operand).dims
        if dims and not any("?" in str(dim) for dim in dims):
            name = worded(operand, facts.definitions, facts.labels)
            found.append((name, show_dims(dims)))
    if len(found) == 1 and not found[0][0]:
        return
    for place, (name, shape) in enumerate(found):
        yield f"{name or PLACES[min(place, len(PLACES) - 1)]} is {shape}"


PLACES = ("the first", "the second", "another")


def _parts(value: Expr) -> Iterator[Expr]:
    """What the operation takes: the entries of a display by themselves."""
    if not isinstance(value, Apply):
        return
    args = value.args
    if value.op in ("setitem", "additem"):
        args = getitem(args[0], args[1]), *args[2:]
    elif value.op == "getitem":
        args = args[:1]
    for arg in args:
        if isinstance(arg, Apply) and arg.op in ("tuple", "list"):
            yield from arg.args
        elif not isinstance(arg, Const):
            yield arg

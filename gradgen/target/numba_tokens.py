"""What a statement is in a loop nest: its work at one place."""

from __future__ import annotations

from dataclasses import dataclass

from gradgen.ir.nodes import Apply, Expr, Function, Let, Note, Var
from gradgen.ir.operators import MADE_LISTS
from gradgen.ir.walk import all_defined, lets, reads
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import ShapeConflict

NEW, SET, ADD, SUM = "new", "set", "add", "sum"
# an array of zeros like a variable that is not made yet
ZEROS = "zeros_for"


@dataclass(frozen=True)
class Item:
    """What a nest does at each place of `dims`: one entry of an array, or of a sum.

    `of` is the array that the entry at `place` is of, before it (`base`) and after.
    A NEW one is made before the nest; SUM adds to a number. `before` are statements that
    the nest needs, `read` the arrays that it reads, with their places.
    """

    kind: str
    dims: tuple[Dim, ...]
    of: Var
    base: Var | None
    place: tuple[Expr, ...]
    value: Expr
    note: Note
    read: tuple[tuple[Var, tuple[Expr, ...]], ...]
    before: tuple[Let, ...] = ()


Token = Let | Item


def learned(function: Function, facts: Facts) -> Facts:
    """The facts, with those of what the passes before have named.

    Of lists, and of what is read of them, nothing is known.
    """
    facts = facts.copy()
    for let in lets(function.body):
        if let.var in facts.shapes and let.var in facts.kinds:
            continue
        value = let.value
        known = all(one in facts.shapes and one in facts.kinds for one in reads(value))
        if known and not (
            isinstance(value, Apply) and value.op in (*MADE_LISTS, "tuple")
        ):
            try:
                facts.shapes[let.var] = facts.of(value)
                facts.kinds[let.var] = facts.kind(value)
                continue
            except (ShapeConflict, KeyError):
                pass
        facts.shapes[let.var], facts.kinds[let.var] = facts.fresh(), Kind.OTHER
    for var in all_defined(function.body):
        facts.shapes.setdefault(var, facts.fresh())
        facts.kinds.setdefault(var, Kind.OTHER)
    return facts

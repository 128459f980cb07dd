"""What a statement is in a loop nest: its work at one place."""

from __future__ import annotations

from dataclasses import dataclass

from gradgen.ir.nodes import Expr, Let, Note, Var
from gradgen.shapes.dims import Dim

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

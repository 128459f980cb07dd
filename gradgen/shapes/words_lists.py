"""Shape words of Python lists of arrays that are made one array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Expr
from gradgen.ir.walk import static
from gradgen.shapes.shape import Shape, ShapeConflict, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts
    from gradgen.shapes.words_parts import Word


def with_axes(facts: Facts, row: Shape | None = None) -> Shape:
    """A shape of which no more is known than that it is none of a number, and its rows."""
    found = facts.fresh()
    facts.along[found] = row
    return found


def rows(facts: Facts, xs: Expr) -> Shape:
    """The entries of a list, one above the other; these may be lists again."""
    entry, inner = facts.entries_of(xs), facts.example(xs)
    if inner is not None and facts.is_list(inner):
        entry = rows(facts, inner)
    if entry is None or entry.dims is None:
        return with_axes(facts, entry)
    return ranked(facts.count_of(xs) or facts.fresh_dim(), *entry.dims)


def end_to_end(facts: Facts, xs: Expr, axis: Expr) -> Shape:
    """The entries of a list, joined along an axis."""
    entry = facts.entries_of(xs)
    if entry is None or entry.dims is None:
        return with_axes(facts)
    axes, where = list(entry.dims), static(axis)
    if not -len(axes) <= where < len(axes):
        raise ShapeConflict(f"there is no axis {where}")
    axes[where] = facts.fresh_dim()
    return ranked(*axes)


LISTS: dict[str, Word] = {"rows": rows, "end_to_end": end_to_end}

"""Axes that a reduction has dropped come back with length 1: np.sum(x, axis=1)[:, None].

The reduction and what puts the axis back both count axes in the shape before the
reduction, so that the result is x's shape with that axis kept as 1, whatever x's rank.
"""

from __future__ import annotations

from typing import Any

from gradgen.shapes.shape import Below, Dropped, Kept, Shape


def restored(shape: Shape, axes: tuple[int, ...]) -> Shape | None:
    """The shape with new axes at these places; None where they are other ones."""
    if len(shape.atoms) != 1:
        return None
    (atom,) = shape.atoms
    # what broadcasts does so from the end
    if isinstance(atom, Below) and axes == tuple(range(-len(axes), 0)):
        kept = restored(atom.base, axes)
        return None if kept is None else Shape(frozenset([Below(kept)]))
    if not isinstance(atom, Dropped) or atom.axes != axes:
        return None
    return Shape(frozenset([Kept(atom.base, axes)]))


def added_axis(items: list[Any]) -> int | None:
    """The place of the only axis that a key adds, where it does nothing else.

    That of x[:, None] is 1, that of x[..., None] is -1.
    """
    whole = (slice(None), ...)
    if items.count(None) != 1 or any(i is not None and i not in whole for i in items):
        return None
    place = items.index(None)
    return place - len(items) if ... in items[:place] else place

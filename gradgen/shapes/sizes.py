"""Sizes that an operation takes for one, and those that do not fill what is asked."""

from __future__ import annotations

from math import prod

from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import FITTING, Shape, ShapeConflict, show_dims


def axes_told(count: int) -> str:
    """How many axes: 1 axis, 2 axes."""
    return f"{count} axis" if count == 1 else f"{count} axes"


def match(x: Dim, y: Dim, stretches: bool = False) -> None:
    """Raises ShapeConflict where two sizes that are contracted surely differ."""
    certain = not any(n.startswith(("?", "#")) for n in x.names | y.names)
    if x != y and certain:
        message = f"the contracted axes {x} and {y} differ"
        raise ShapeConflict(message, FITTING, (x, y), True, stretches)


def filled(shape: Shape, wanted: Shape) -> None:
    """Raises ShapeConflict where an array surely has not as many entries as asked."""
    if shape.dims is None or wanted.dims is None:
        return
    has, asked = (prod(one, start=ONE).number for one in (shape.dims, wanted.dims))
    if has is not None and asked is not None and has != asked:
        shown = show_dims(wanted.dims)
        raise ShapeConflict(
            f"{has} entries do not fill the shape {shown}", "-1 for one of its sizes"
        )

"""The shapes of derivatives that a primal takes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Ref
from gradgen.ir.slope import OF_ARGUMENTS, Slope
from gradgen.shapes.shape import Shape, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def shape_of_slope(facts: Facts, slope: Slope) -> Shape:
    """The shape of a derivative: the argument's, the result's, or both together."""
    point, out = facts.of(Ref(slope.point)), facts.of(slope.out)
    if slope.mode in OF_ARGUMENTS:
        return point
    if slope.mode == "jvp":
        return out
    outer = point if slope.mode == "hessian" else out
    if outer.dims is None or point.dims is None:
        return facts.fresh()
    return ranked(*outer.dims, *point.dims)

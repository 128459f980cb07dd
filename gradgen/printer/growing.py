"""Changes in place that raise where the result has no room."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, equal, join


def may_grow(value: Expr, facts: Facts) -> bool:
    """Whether x + y may need more room than x has, where x += y raises."""
    if not isinstance(value, Apply) or value.spelling != "augmented":
        return False
    base, added = value.args[:2]
    own = facts.of(base)
    if facts.rank(base) == 0:
        return False
    try:
        return not equal(join(own, facts.of(added)), own)
    except ShapeConflict:
        return True

"""What is certain of an expression: its axes, and whether its entries are floats."""

from __future__ import annotations

from gradgen.ir.nodes import Expr
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import ShapeConflict


def dims_of(expr: Expr, facts: Facts) -> tuple[Dim, ...] | None:
    """The lengths of the axes, None where their number or one of them is open."""
    try:
        dims = facts.of(expr).dims
    except (ShapeConflict, TypeError, KeyError):  # no rule, or nothing known of a part
        return None
    if dims is None or any("?" in str(dim) for dim in dims):
        return None
    return dims


def kind_of(expr: Expr, facts: Facts) -> Kind | None:
    """The sort of a value, None where no rule tells it."""
    try:
        return facts.kind(expr)
    except (TypeError, KeyError):
        return None


def is_floating(expr: Expr, facts: Facts) -> bool:
    """Whether a value is real, and neither an integer nor a plain number."""
    if kind_of(expr, facts) not in (Kind.LIKE, Kind.WIDE):
        return False
    return not facts.is_complex(expr)

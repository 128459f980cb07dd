"""The operations that a walk up the use-def chains of a value goes through."""

from __future__ import annotations

from collections.abc import Sequence

from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.ir.operators import ADDITIVE, SIGNED
from gradgen.rules.load import operations


def is_elementwise(value: Apply) -> bool:
    """Whether an operation computes entry by entry."""
    rule = operations().get(value.op)
    return rule is not None and rule.kind == "elementwise" and not value.kwargs


def of_entries(value: Apply) -> Sequence[Expr] | None:
    """The operands of what is computed entry by entry: a and b of np.exp(a * b)."""
    return value.args if is_elementwise(value) else None


def as_one_shape(value: Apply) -> Sequence[Expr] | None:
    """The operands of what has the shape that they have together."""
    rule = operations().get(value.op)
    return value.args if rule is not None and rule.shape is None else None


def terms_of(value: Apply) -> Sequence[Expr] | None:
    """The terms of a sum or a difference."""
    return value.args if value.op in ADDITIVE else None


def factors_of(value: Apply) -> Sequence[Expr] | None:
    """The factors of a product, but for its sign."""
    is_factor = value.op == "numpy.multiply" or value.op in SIGNED
    return value.args if is_factor else None


def is_lower_argument(value: Expr) -> bool:
    """Whether a value is an argument without a capital."""
    is_argument = isinstance(value, Ref) and value.var.origin is Origin.PARAM
    return is_argument and getattr(value, "var").name.islower()

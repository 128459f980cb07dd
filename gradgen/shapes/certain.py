"""What is certain of an expression: its axes, and whether its entries are floats."""

from __future__ import annotations

from collections.abc import Sequence

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.upstream import upstream
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.refusals import names_dtype, sort_of_dtype
from gradgen.shapes.complexes import dtype_asked, operands_of
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import ShapeConflict

ROWS = ("tuple", "list")


def dims_of(expr: Expr, facts: Facts) -> tuple[Dim, ...] | None:
    """The lengths of the axes, None where their number or one of them is open."""
    try:
        dims = facts.of(expr).dims
    except (ShapeConflict, TypeError, KeyError):  # no rule, or nothing known of a part
        return None
    if dims is None or any("?" in str(dim) for dim in dims):
        return None
    return dims


def rank_of(expr: Expr, facts: Facts) -> int | None:
    """How many axes a value has, None where that is open, or of what no pass learned."""
    try:
        return facts.rank(expr)
    except (ShapeConflict, TypeError, KeyError):
        return None


def items_of(expr: Expr, facts: Facts) -> int | None:
    """How many items a value has, where that is certain: results, or rows.

    Where it is not, a line a, b = value may raise.
    """
    if isinstance(expr, Apply) and expr.op in ROWS:
        return len(expr.args)
    if isinstance(expr, Apply) and expr.op == "item":
        base = expr.args[0]
        rows = facts.definitions.get(base.var) if isinstance(base, Ref) else base
        every = rows.args if isinstance(rows, Apply) and rows.op in ROWS else ()
        counts = {
            len(row.args) if isinstance(row, Apply) and row.op in ROWS else -1
            for row in every
        }
        if len(counts) == 1 and -1 not in counts:  # of a table that is written out
            return counts.pop()
    try:
        several = facts.several(expr)
    except (GradgenError, ShapeConflict):
        return None
    dims = None if several else dims_of(expr, facts)
    return several or (dims[0].number if dims else None)


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


def is_surely_real(expr: Expr, facts: Facts) -> bool:
    """Whether a value is real, of whatever numbers it is computed.

    Not of what a loop carries or an arm gives, nor of eigenvalues, which may be either.
    """
    for end in upstream(expr, facts.definitions, lambda x: _of_reals(x, facts)):
        if isinstance(end, Const):
            if isinstance(end.value, complex):
                return False
        elif not isinstance(end, Ref) or end.var.origin is not Origin.PARAM:
            return False
        elif end.var in facts.complexes:
            return False
    return True


def _of_reals(expr: Apply, facts: Facts) -> Sequence[Expr] | None:
    """The operands that an operation is real of, none if of any; None where it is open."""
    if facts.is_complex(expr):
        return None
    if expr.op in ("tuple", "list"):
        return expr.args
    rule = operations().get(expr.op)
    if rule is None or rule.kind == "general" and rule.field != "holomorphic":
        return None
    if rule.kind in ("boolean", "integer") or rule.field == "to_real":
        return ()
    if expr.op == "numpy.power" and not _stays_real(expr, facts):
        return None
    bound = bind(rule, expr)
    dtype = dtype_asked(bound)
    if dtype is not None and not names_dtype(dtype):
        return () if sort_of_dtype(dtype) in ("f", "i", "u", "b") else None
    return tuple(operands_of(bound))


def _stays_real(power: Apply, facts: Facts) -> bool:
    """Whether no power of a negative number of Python's is asked for: (-8) ** 0.5."""
    base, exponent = power.args
    whole = isinstance(exponent, Const) and type(exponent.value) is int
    return whole or kind_of(base, facts) in (Kind.LIKE, Kind.WIDE)

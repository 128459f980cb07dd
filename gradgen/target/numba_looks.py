"""What a compiled text asks of its arguments: x.ndim, where they have axes."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.shapes.infer import Facts


def axes_of(node: Apply, facts: Facts) -> Expr:
    """How many axes a value has: of an argument that is looked at, x.ndim.

    A number has no such attribute, and of what is taken for a number nothing is asked.
    """
    (value,) = node.args
    rank = facts.rank(value)
    if rank and isinstance(value, Ref) and value.var.origin is Origin.PARAM:
        return replace(node, spelling="attribute:ndim")
    return Const(rank)


def surely(test: Apply) -> Expr:
    """A test without what is known not to hold: 0 != 0."""
    if test.op == "numpy.not_equal":
        whole = isinstance(test.args[0], Const) and type(test.args[0].value) is int
        return Const(False) if whole and test.args[0] == test.args[1] else test
    parts = tuple(one for one in test.args if one != Const(False))
    if len(parts) < 2:
        return parts[0] if parts else Const(False)
    return replace(test, args=parts)

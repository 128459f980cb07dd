"""type(x) is tuple and x.dtype.kind == "O": the kinds that a function compares."""

from __future__ import annotations

import numbers

import gast
import numpy

from gradgen.frontend.calls.kinds import has_a_name, note_array, note_no_instance
from gradgen.frontend.calls.kinds import types_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Apply, Const, Expr, Ref

# the kinds, and the letters, of objects, texts, records and dates: never an argument's
NO_NUMBERS = ("O", "S", "U", "V", "M", "m")


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """x.dtype.kind == "O": an array of objects, of which there is no derivative.

    And type(x) is Point, of a class of the user's: what a text is given is none.
    """
    if isinstance(op, (gast.Eq, gast.NotEq, gast.Is, gast.IsNot)):
        for one, other in ((left, right), (right, left)):
            cls = getattr(other, "value", None)
            if isinstance(cls, type) and _is_never(lowering, one, cls):
                return Const(isinstance(op, (gast.NotEq, gast.IsNot)))
            if not isinstance(cls, type) or has_a_name(cls):
                continue
            if not isinstance(one, Ref):
                continue
            if lowering.made_by(one) == "type":
                lowering.decided(f"no argument is a {cls.__name__}")
                asked = lowering.facts.definitions[one.var]
                note_no_instance(lowering, getattr(asked, "args")[0], cls)
                return Const(isinstance(op, (gast.NotEq, gast.IsNot)))
            lowering.fail(
                "GG251",
                f"a text has no name for {cls.__name__}, with which this is compared",
                node,
                f"isinstance(x, {cls.__name__})",
            )
    if isinstance(op, (gast.Eq, gast.NotEq)):
        for one, other in ((left, right), (right, left)):
            made = lowering.made_by(one) == "of_dtype"
            if made and getattr(other, "value", None) in NO_NUMBERS:
                return Const(isinstance(op, gast.NotEq))
    return comparison.further(lowering, op, left, right, node)


@answers(Lowering.membership)
def membership(
    lowering: Lowering, inside: bool, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """x.dtype.kind in "fc": a comparison with each letter."""
    defined = (
        lowering.facts.definitions.get(left.var) if isinstance(left, Ref) else None
    )
    if isinstance(defined, Apply) and defined.op == "of_dtype":
        if isinstance(right, Const) and isinstance(right.value, str):
            right = Apply("tuple", tuple(map(Const, right.value)))
    return membership.further(lowering, inside, left, right, node)


def _is_never(lowering: Lowering, asked: Expr, cls: type) -> bool:
    """Whether type(x) is surely another: of a number, which is no list and no array."""
    if lowering.made_by(asked) != "type" or not isinstance(asked, Ref):
        return False
    handle = lowering.facts.definitions[asked.var].args[0]
    known = types_of(lowering, handle)
    if known is not None and (cls is list or cls is tuple):
        note_array(lowering, handle)
    if known is None or issubclass(cls, (numbers.Number, numpy.generic, bool)):
        return False
    return cls not in known

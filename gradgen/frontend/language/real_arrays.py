"""What asks whether numbers are complex, of numbers that are surely real.

before:  kind = complex if np.iscomplexobj(x) else float
         out = np.zeros(n, dtype=kind)
after:   out = np.zeros(n, dtype=float)

Of a complex argument, of eigenvalues and of what a loop carries the text asks.
"""

from __future__ import annotations

import gast
import numpy

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.shapes.certain import is_surely_real

LETTERS = ("c", "F", "D", "G")  # x.dtype.kind, and x.dtype.char


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """np.iscomplexobj(x), np.isrealobj(x) and np.issubdtype(x.dtype, complex)."""
    if among(value, (numpy.iscomplexobj, numpy.isrealobj)):
        if len(node.args) == 1 and not node.keywords:
            if _is_real(lowering, lowering.read(node.args[0])):
                return Const(value is numpy.isrealobj)
    if value is numpy.issubdtype and len(node.args) == 2 and not node.keywords:
        if _is_complex_type(lowering.resolve(node.args[1])):
            if _is_of_real(lowering, lowering.read(node.args[0]), "dtype"):
                return Const(False)
    return special_call.further(lowering, value, node)


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """x.dtype == np.complex128, and x.dtype.kind == "c"."""
    if isinstance(op, (gast.Eq, gast.NotEq)):
        for one, other in ((left, right), (right, left)):
            asked = getattr(other, "value", None)
            is_type = _is_complex_type(asked) and _is_of_real(lowering, one, "dtype")
            is_letter = isinstance(asked, str) and asked in LETTERS
            if is_type or is_letter and _is_of_real(lowering, one, "of_dtype"):
                return Const(isinstance(op, gast.NotEq))
    return comparison.further(lowering, op, left, right, node)


def _is_complex_type(value: object) -> bool:
    return isinstance(value, type) and issubclass(
        value, (complex, numpy.complexfloating)
    )


def _is_of_real(lowering: Lowering, handle: Expr, made: str) -> bool:
    """Whether a value is the dtype of real numbers, or what such a dtype is asked for."""
    if lowering.made_by(handle) != made or not isinstance(handle, Ref):
        return False
    known = lowering.facts.definitions[handle.var]
    assert isinstance(known, Apply)
    if made == "of_dtype":
        return _is_of_real(lowering, known.args[0], "dtype")
    return _is_real(lowering, known.args[0])


def _is_real(lowering: Lowering, handle: Expr) -> bool:
    if handle is REFUSED or not isinstance(handle, (Ref, Apply)):
        return False
    known = lowering.root.source.is_real
    if known and is_surely_real(lowering.current(handle), lowering.facts):
        lowering.decided("the arguments are real")
        return True
    return False

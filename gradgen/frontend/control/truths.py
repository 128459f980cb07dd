"""What is known of a condition while the text is made."""

from __future__ import annotations

import enum
import re
from dataclasses import replace
from typing import Any

import numpy

from gradgen.frontend.heap.asked_ranks import note_ranks
from gradgen.frontend.heap.lengths import Known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.recursion import whole_number
from gradgen.frontend.source.names import is_mark
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.slope import is_same
from gradgen.ir.strong import number_of


def known_truth(lowering: Lowering, test: Expr) -> bool | None:
    """A condition that is surely known while emitting."""
    if test is REFUSED:
        return None
    if isinstance(test, Const):
        known_of = bool, int, float, str, tuple, type(None), enum.Enum
        if isinstance(test.value, known_of):
            return bool(test.value)
        kind = type(test.value)
        own = any(hasattr(kind, name) for name in ("__bool__", "__len__"))
        known_as = callable(test.value) or is_mark(test.value)
        known_as = known_as or isinstance(test.value, (re.Match, re.Pattern))
        return True if known_as and not own else None
    if isinstance(test, Apply):
        if test.op in ("tuple", "list", "dict", "namedtuple"):
            return bool(test.args)  # of a container the length counts
        if test.op == "slice":
            return True
        if test.op == "not":
            known = known_truth(lowering, test.args[0])
            return None if known is None else not known
        if test.op in ("and", "or"):
            stop = test.op == "or"
            parts = [known_truth(lowering, arg) for arg in test.args]
            if stop in parts:
                return stop
            return None if None in parts else not stop
        if test.op in ("is", "is_not"):
            return _same_object(lowering, test)
        facts = Known(lowering.facts)
        args = tuple(
            whole_number(facts.told(known_slice(arg)), facts) for arg in test.args
        )
        if all(isinstance(arg, Const) for arg in args):
            note_ranks(lowering, facts.asked)
            whole = whole_number(replace(test, args=args), facts)
            if isinstance(whole, Const):
                return bool(whole.value)  # if n % 2
            return _compared(replace(test, args=args))
    return None


def _is_given(lowering: Lowering, value: Expr) -> bool:
    """Whether a value is an argument at a call, and there an array or a number."""
    if not isinstance(value, Ref) or value.var.origin is not Origin.PARAM:
        return False
    # what only looks like a number, since the function compares it, may be None
    return lowering.root.source.at_hand and value.var in lowering.given


def _is_captured(lowering: Lowering, value: Expr) -> bool:
    """Whether a value is an array of an enclosing function, a parameter of the text."""
    held = (param.var for param in lowering.captured.values())
    return isinstance(value, Ref) and value.var in held


def _same_object(lowering: Lowering, test: Apply) -> bool | None:
    left, right = test.args
    if right == Const(None) and (
        _is_given(lowering, left) or _is_captured(lowering, left)
    ):
        return test.op == "is_not"
    singles = [number_of(one) if isinstance(one, Const) else 0 for one in (left, right)]
    if any(isinstance(one, numpy.generic) for one in singles):
        return _same_number(test.op, *singles)
    if all(one is None or type(one) is bool for one in singles):
        return (singles[0] is singles[1]) == (test.op == "is")
    plain = (str, int, float)
    if all(
        isinstance(one, Const) and isinstance(one.value, plain) for one in test.args
    ):
        if type(singles[0]) is not type(singles[1]):
            return test.op == "is_not"  # "OPTIONAL" is False
    if any(map(is_mark, singles)):
        return (singles[0] is singles[1]) == (test.op == "is")
    if right != Const(None):
        return None
    if isinstance(left, Const):
        return (left.value is None) == (test.op == "is")
    value: Expr | None = left
    while isinstance(value, Ref) or is_same(value):
        known = lowering.facts.definitions
        value = known.get(value.var) if isinstance(value, Ref) else value.args[0]
    if isinstance(value, Apply) and not _is_entry(lowering, value):
        return test.op == "is_not"  # an operation's result is not None
    return None


def _same_number(op: str, one: Any, other: Any) -> bool | None:
    """Whether a number of NumPy's is an object: np.True_ is np.True_, and no True."""
    flags = isinstance(one, numpy.bool_) and isinstance(other, numpy.bool_)
    if flags or type(one) is not type(other):
        same = flags and bool(one) is bool(other)
        return same == (op == "is")
    return None


def _is_entry(lowering: Lowering, value: Apply) -> bool:
    """Whether a value is an entry of a list of the text's own: perhaps None."""
    base = value.args[0] if value.op in ("item", "getitem") else None
    return base is not None and lowering.facts.is_list(base)


def known_slice(handle: Expr) -> Expr:
    """A slice of constants as one constant, which has an equality; others as they are."""
    if isinstance(handle, Apply) and handle.op == "slice":
        if all(isinstance(part, Const) for part in handle.args):
            return Const(slice(*(part.value for part in handle.args)))
    return handle


def _compared(test: Apply) -> bool | None:
    left, right = (arg.value for arg in test.args) if len(test.args) == 2 else (0, 0)
    try:
        if test.op == "numpy.equal":
            return bool(left == right)
        if test.op == "numpy.not_equal":
            return bool(left != right)
        if test.op == "numpy.less":
            return bool(left < right)
        if test.op == "numpy.less_equal":
            return bool(left <= right)
        if test.op == "numpy.greater":
            return bool(left > right)
        if test.op == "numpy.greater_equal":
            return bool(left >= right)
    except TypeError:
        return None
    return None

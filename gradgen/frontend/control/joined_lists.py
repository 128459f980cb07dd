"""Lists that a loop has filled, put together by other functions than np.stack.

np.vstack(rows)               np.stack(rows), of vectors
np.stack(rows, axis=1)        np.moveaxis(np.stack(rows), 0, 1)
np.column_stack(rows)         np.stack(rows).T, of vectors
np.vstack(list(A))            np.stack(list(A)), of the rows of a matrix
np.hstack(parts)              np.concatenate(parts), along axis 1 of more than vectors
np.vstack(parts)              np.concatenate(parts), of more than vectors
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Const, Expr

# by the function and the rank of the entries, which must have one shape: what it is of
# `s`, the entries stacked. np.concatenate takes entries of several lengths.
OF_STACKED = {
    ("vstack", 0): "reshape(s, (s.shape[0], 1))",
    ("vstack", 1): "asarray(s)",
    ("hstack", 0): "asarray(s)",
    ("column_stack", 1): "transpose(s)",
    ("dstack", 1): "transpose(s)[None]",
    ("dstack", 2): "moveaxis(s, 0, 2)",
}
# those that join entries along an axis that they have; their lengths may differ
ALONG: dict[tuple[str, bool], int] = {
    ("hstack", False): 0,
    ("hstack", True): 1,
    ("vstack", True): 0,
}
FUNCTIONS = (
    numpy.stack,
    numpy.vstack,
    numpy.hstack,
    numpy.dstack,
    numpy.column_stack,
)


def joined(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """The array that a call makes of such a list; None for other calls."""
    function = next((one for one in FUNCTIONS if one is value), None)
    if function is numpy.stack and len(node.args) == 2 and not node.keywords:
        if isinstance(node.args[0], gast.Name):  # np.stack(rows, 1)
            axis = gast.keyword("axis", node.args[1])
            return lowering.read(_called(numpy.stack, node.args[:1], node, [axis]))
    if function is None or len(node.args) != 1:
        return None
    listed = node.args[0]
    makes = isinstance(listed, gast.ListComp)
    if isinstance(listed, gast.Call):
        makes = among(lowering.resolve(listed.func), (list, tuple))
    if not makes and not isinstance(listed, gast.Name):
        return None
    handle = lowering.read(listed)
    if handle is REFUSED:
        return None
    found = _of_dynamic(lowering, function, handle, node)
    if found is None and makes:  # read once
        call = _called(value, [Held(handle, node.args[0])], node, node.keywords)
        found = lowering.read(call)
    return found


def _of_dynamic(
    lowering: Lowering, function: Any, handle: Expr, node: gast.Call
) -> Expr | None:
    named = {word.arg: word.value for word in node.keywords}
    if named.keys() - {"axis"} or not lowering.is_dynamic(handle):
        return None
    axis = value_known(lowering, lowering.read(named["axis"])) if named else 0
    entries = lowering.facts.entries_of(lowering.current(handle, node))
    rank = entries.rank if entries is not None else None
    found: Expr | None = None
    along = ALONG.get((function.__name__, rank > 1)) if rank and not named else None
    if along is not None:
        words = [gast.keyword("axis", Held(Const(along), node))] if along else []
        call = _called(numpy.concatenate, [Held(handle, node)], node, words)
        found = lowering.read(call)
        return found
    text = _text(function.__name__, axis, rank)
    if text is not None:
        stacked = _called(numpy.stack, [Held(handle, node)], node)
        found = lowering.read(_tree(text, Held(lowering.read(stacked), node), node))
    return found


def _text(name: str, axis: Any, rank: int | None) -> str | None:
    if type(axis) is not int:
        return None
    if name == "stack":
        there = rank is None or -rank - 1 <= axis <= rank
        return f"moveaxis(s, 0, {axis})" if axis and there else None
    if rank is None:
        return None
    return None if axis else OF_STACKED.get((name, rank))


def _called(
    function: Any, args: list[Any], node: gast.AST, words: Sequence[Any] = ()
) -> gast.Call:
    func = gast.copy_location(Held(Const(function), node), node)
    call = gast.Call(func=func, args=args, keywords=list(words))
    return gast.copy_location(call, node)


def _tree(text: str, stacked: Held, node: gast.AST) -> Any:
    """An expression in functions of NumPy's and `s`."""

    class Names(gast.NodeTransformer):
        def visit_Name(self, name: gast.Name) -> gast.AST:
            if name.id == "s":
                return stacked
            return Held(Const(getattr(numpy, name.id)), node)

        def visit_Constant(self, one: gast.Constant) -> gast.AST:
            return Held(Const(one.value), node)

    tree = Names().visit(gast.parse(text, mode="eval")).body
    for inner in gast.walk(tree):
        if not isinstance(inner, Held):
            gast.copy_location(inner, node)
    return tree

"""Lists that a loop has filled, put together by other functions than np.stack.

np.vstack(rows)               np.stack(rows), of vectors
np.stack(rows, axis=1)        np.moveaxis(np.stack(rows), 0, 1)
np.column_stack(rows)         np.stack(rows).T, of vectors
"""

from __future__ import annotations

from typing import Any

import gast
import numpy

from gradgen.frontend.held import Held
from gradgen.frontend.writer import REFUSED
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
FUNCTIONS = (
    numpy.stack,
    numpy.vstack,
    numpy.hstack,
    numpy.dstack,
    numpy.column_stack,
)


def joined(reader: Any, value: object, node: gast.Call) -> Expr | None:
    """The array that a call makes of such a list; None for other calls."""
    function = next((one for one in FUNCTIONS if one is value), None)
    if (
        function is None
        or len(node.args) != 1
        or not isinstance(node.args[0], gast.Name)
    ):
        return None
    named = {word.arg: word.value for word in node.keywords}
    handle = reader.read(node.args[0])
    if handle is REFUSED or named.keys() - {"axis"} or not reader.is_dynamic(handle):
        return None
    axis = reader.value_known(reader.read(named["axis"])) if named else 0
    rank = reader.facts.entries_of(reader.current(handle, node)).rank
    text = _text(function.__name__, axis, rank)
    if text is None:
        return None
    stacked = _called(numpy.stack, [Held(handle, node)], node)
    found: Expr = reader.read(_tree(text, Held(reader.read(stacked), node), node))
    return found


def _text(name: str, axis: Any, rank: int | None) -> str | None:
    if type(axis) is not int or rank is None:
        return None
    if name == "stack":
        there = -rank - 1 <= axis <= rank
        return f"moveaxis(s, 0, {axis})" if axis and there else None
    return None if axis else OF_STACKED.get((name, rank))


def _called(function: Any, args: list[Any], node: gast.AST) -> gast.Call:
    func = gast.copy_location(Held(Const(function), node), node)
    return gast.copy_location(gast.Call(func=func, args=args, keywords=[]), node)


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

"""Methods that are another spelling: x.__len__() is len(x), x.compress(m) np.compress(m, x)."""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, Record
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Const, Expr

FUNCTIONS = {
    "__len__": len,
    "__abs__": abs,
    "__float__": float,
    "__int__": int,
    "__bool__": bool,
    "nonzero": numpy.nonzero,
}
SIGNS = {"__neg__": gast.USub, "__pos__": gast.UAdd}
NONE = ("view",)
ONE = ("__getitem__", "__contains__", "compress")


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """try: iter(x), which asks whether x has items, as len(x) does.

    before:  try: iter(x)                   after:  try: len(x)
             except TypeError: x = [x]              except TypeError: x = [x]
    """
    if value is not iter or not lowering.trying or len(node.args) != 1:
        return special_call.further(lowering, value, node)
    handle = lowering.read(node.args[0])
    if handle is REFUSED:
        return REFUSED
    counted = gast.Call(Held(Const(len), node), [Held(handle, node.args[0])], [])
    lowering.read(gast.copy_location(counted, node))
    told = "GG268", "an iterator is not supported under a name", "a loop over its items"
    return Poison(*told)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    """A method of an array or a container by the name that Python calls it by.

    before:  if x.__len__() > 2: x = x.compress(x > 0)
    after:   if len(x) > 2: x = np.compress(x > 0, x)

    One of an instance is the method of its class; np.ndarray.sum(x) is x.sum().
    """
    func = node.func
    if isinstance(func, gast.Attribute) and _is_unbound(lowering, node):
        bound = gast.Attribute(node.args[0], func.attr, gast.Load())
        gast.copy_location(bound, func)
        method = gast.Call(bound, node.args[1:], node.keywords)
        return lowering.expression(gast.copy_location(method, node))
    if not isinstance(func, gast.Attribute) or not _is_spelled(func.attr, node):
        return method_call.further(lowering, node)
    outside = lowering.resolve(func.value)
    if isinstance(outside, (type, types.ModuleType)) or _is_super(func.value):
        return method_call.further(lowering, node)
    handle = lowering.read(func.value)
    if handle is REFUSED:
        return REFUSED
    if isinstance(contents(lowering, handle), Record):
        return method_call.further(lowering, node)
    made = _written(func.attr, Held(handle, func.value), node)
    return lowering.expression(gast.copy_location(made, node))


def _is_unbound(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a method is called of the class of arrays: np.ndarray.sum(x)."""
    given = bool(node.args) and not isinstance(node.args[0], gast.Starred)
    return given and lowering.resolve(node.func.value) is numpy.ndarray


def _is_spelled(name: str, node: gast.Call) -> bool:
    """Whether a method of so many arguments is one of these."""
    if name in FUNCTIONS or name in SIGNS or name in NONE:
        return not node.args and not node.keywords
    if name in ONE and len(node.args) == 1:
        return not node.keywords or name == "compress"
    return False


def _is_super(node: Any) -> bool:
    name = getattr(getattr(node, "func", None), "id", "")
    return isinstance(node, gast.Call) and name == "super"


def _written(name: str, base: Held, node: gast.Call) -> gast.AST:
    """The operator, or the function, that a method is."""
    if name in FUNCTIONS:
        return gast.Call(Held(Const(FUNCTIONS[name]), node), [base], [])
    if name in SIGNS:
        return gast.UnaryOp(SIGNS[name](), base)
    if name in NONE:
        return gast.Subscript(base, Held(Const(...), node), gast.Load())
    (argument,) = node.args
    if name == "__getitem__":
        return gast.Subscript(base, argument, gast.Load())
    if name == "__contains__":
        return gast.Compare(argument, [gast.In()], [base])
    function = Held(Const(numpy.compress), node)
    return gast.Call(function, [argument, base], node.keywords)

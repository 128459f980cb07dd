"""xp = get_array_module(x): a module like NumPy, chosen by the arrays at run time.

That of the array API, x.__array_namespace__(), is numpy for NumPy's arrays.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.names import importing, lookup
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Const, Expr, Ref

# the functions that choose a module by the arrays they are given, by their names
CHOOSERS = ("get_array_module",)


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    chooser = lowering.resolve(node.func)
    named = isinstance(chooser, (types.FunctionType, types.BuiltinFunctionType))
    if named and chooser.__name__ in CHOOSERS:
        return _chosen(lowering, chooser, node)
    return other_call.further(lowering, node)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    """x.__array_namespace__() of NumPy's arrays is numpy."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "__array_namespace__":
        handle = lowering.read(func.value)
        known = handle is REFUSED or contents(lowering, handle) is not None
        if not known:
            return Const(numpy)
    return method_call.further(lowering, node)


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """x.device is "cpu": NumPy has no other."""
    if node.attr == "device" and lowering.resolve(node.value) is NO_VALUE:
        handle = lowering.read(node.value)
        if isinstance(handle, Ref) and contents(lowering, handle) is None:
            return Const("cpu")
    return attribute.further(lowering, node)


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: Any) -> bool:
    return is_called.further(lowering, value) and getattr(
        value, "__name__", ""
    ) not in (CHOOSERS)


@answers(Lowering.resolve)
def resolve(lowering: Lowering, node: gast.AST) -> Any:
    """The Python object a dotted name leads to, also from a module that is chosen."""
    if isinstance(node, gast.Name) and lowering.is_local(node.id):
        bound = getattr(lookup(lowering, node.id), "value", None)
        if isinstance(bound, types.ModuleType):
            return bound
    return resolve.further(lowering, node)


def _chosen(lowering: Lowering, chooser: Callable[..., Any], node: gast.Call) -> Expr:
    """NumPy, and the line of the text that chooses the module again."""
    source = lowering.root.source
    own = [arg.id for arg in source.node.args.args]
    own = own if source.receiver is None else own[1:]  # arrays, and no self
    given = [arg.id for arg in node.args if isinstance(arg, gast.Name)]
    if lowering.frame is not lowering.root or not set(given) <= set(own):
        given = []
    called = ", ".join(given or own[:1])
    name = chooser.__name__
    lowering.chooser = lowering.chooser or f"{name}({called})"
    lowering.context[name] = importing(lowering, chooser.__module__, node, name)
    return Const(numpy)

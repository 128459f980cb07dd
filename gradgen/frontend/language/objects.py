"""Calls of methods and of instances."""

from __future__ import annotations

import types
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.calls.arguments import by_keyword, positional, spread
from gradgen.frontend.calls.fields import LENT, lend, refuse_class
from gradgen.frontend.calls.methods import instance_of, method_of, with_func
from gradgen.frontend.calls.settings import read_class
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.advice import NO_FIELD
from gradgen.frontend.source.lookup import looked_up
from gradgen.frontend.source.stand_ins import stood_in_for
from gradgen.ir.nodes import Const, Expr, Ref


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    func = node.func
    if isinstance(func, gast.Attribute):
        found, base = method_of(lowering, func)
        if found is not None:
            return _called(lowering, found, node)
        if base is not func.value:
            # what the method is of has been read
            again = gast.Attribute(base, func.attr, func.ctx)
            node = with_func(node, gast.copy_location(again, func))
    elif isinstance(func, (gast.Name, gast.Subscript, gast.Call, gast.BinOp)):
        handle = instance_of(lowering, func)
        if handle is None and isinstance(func, gast.Subscript):
            handle = lowering.read(func)  # {"tanh": np.tanh}[name](x)
            handle = handle if callable(getattr(handle, "value", 0)) else None
        if handle is not None:
            return _called(lowering, handle, node)
    return called.further(lowering, node)


def _called(lowering: Lowering, value: Expr, node: gast.Call) -> Expr:
    """The call of what a field or a class has under a name."""
    if value is REFUSED:
        return REFUSED
    known = contents(lowering, value)
    if isinstance(known, Record):
        own = looked_up(known.cls, "__call__")
        refuse_class(lowering, known.cls, node, around=bool(known.outer))
        if not isinstance(own, types.FunctionType):
            lowering.fail(
                "GG208", f"a {known.cls.__name__} is no function", node, "a method"
            )
        read_class(lowering, value, known.cls)
        value = Const(Partial(own, (value,), ()))
    function: Any = getattr(value, "value", None)
    if lowering.is_called(function):
        other = stood_in_for(function)  # under a name of its own: solve = linalg.lstsq
        if other is not None:
            function, value = other, Const(other)
        node = spread(lowering, with_func(node, Held(value, node.func)))
        args, kwargs = positional(lowering, node), by_keyword(lowering, node)
        if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
            return REFUSED
        return lowering.call(function, args, kwargs, node)
    return called.further(lowering, with_func(node, lend(lowering, node.func, value)))


@answers(Lowering.function_of)
def function_of(lowering: Lowering, node: gast.AST) -> Any:
    if getattr(node, "id", "") == LENT:
        value = getattr(node.handle, "value", None)
        return value if lowering.is_called(value) else None
    return function_of.further(lowering, node)


@answers(Lowering.callee)
def callee(lowering: Lowering, node: gast.AST) -> tuple[str, str] | None:
    """What a field holds, of an instance that is not there: self.step(x)."""
    if getattr(node, "id", "") == LENT and isinstance(node.handle, Ref):
        name = lowering.source.segment(node)
        is_number = lowering.is_number(node.handle)
        told = f"which function {name} is, is not known here"
        told = f"{name} is no function" if is_number else told
        lowering.fail("GG208", told, node, NO_FIELD)
    return callee.further(lowering, node)


@answers(Lowering.no_method)
def no_method(lowering: Lowering, node: gast.Attribute, receiver: Expr) -> NoReturn:
    """A method of what an instance holds, of which its class alone is known."""
    source = lowering.root.source
    by_class = source.receiver is not None and source.instance is None
    if by_class and receiver is not REFUSED and isinstance(receiver, Ref):
        if not _is_numpys(node.attr):
            told = f"the method .{node.attr}() is of what is not known here"
            lowering.fail("GG206", told, node, NO_FIELD)
    no_method.further(lowering, node, receiver)


def _is_numpys(name: str) -> bool:
    """Whether NumPy has a function or arrays a method of this name."""
    return hasattr(numpy, name) or hasattr(numpy.ndarray, name)

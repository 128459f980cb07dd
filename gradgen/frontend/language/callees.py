"""Calls: starred arguments spread, functions that are values, one of several of them."""

from __future__ import annotations

import functools
import types
from typing import Any

import gast

from gradgen.frontend.calls.alike import as_numpys
from gradgen.frontend.calls.arguments import apply, by_keyword, object_of, positional
from gradgen.frontend.calls.arguments import spread
from gradgen.frontend.calls.lasting import is_cached, once
from gradgen.frontend.calls.rewritten import rewritten
from gradgen.frontend.calls.scipy_fft import as_of_numpy
from gradgen.frontend.control.branches import choose
from gradgen.frontend.control.joined_lists import joined
from gradgen.frontend.heap.names import is_refused, lookup
from gradgen.frontend.lowering.callables import Choice
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import part_of
from gradgen.frontend.source.decorated import behind
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frontend.source.stand_ins import stood_in_for
from gradgen.ir.nodes import Const, Expr
from gradgen.rules.load import operation_of
from gradgen.rules.methods import operation_of_method

LIBRARIES = ("builtins", "numpy")
NAMES = (gast.Name, gast.Attribute, Held)


@handles(Held)
def held_handle(lowering: Lowering, node: Held) -> Expr:
    return node.handle


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    node = spread(lowering, node)
    names = [arg.id for arg in node.args if isinstance(arg, gast.Name)]
    if (
        any(map(functools.partial(is_refused, lowering), names))
        and lowering.resolve(node.func) is not NO_VALUE
    ):
        return REFUSED  # what it is of has been refused, with the reason
    spelled = _by_attribute(lowering, node)
    if spelled is not node:
        return lowering.expression(spelled)
    if not isinstance(node.func, NAMES):
        handle = lowering.read(node.func)
        if handle is REFUSED:
            return REFUSED
        func = Held(handle, node.func)
        made = gast.Call(func=func, args=node.args, keywords=node.keywords)
        node = gast.copy_location(made, node)
    value = lowering.resolve(node.func)
    inner = value if id(value) in operation_of() else behind(value)
    if inner is not value:
        other = rewritten(lowering, value, node)
        if other is not node:
            return lowering.expression(other)
        func = Held(Const(inner), node.func)
        made = gast.Call(func=func, args=node.args, keywords=node.keywords)
        made = gast.copy_location(made, node)
        if is_cached(value):
            return once(lowering, value, lambda: lowering.expression(made), node)
        node, value = made, inner
    if isinstance(value, Choice):
        return _called_by_choice(lowering, value, node)
    other = as_of_numpy(value, rewritten(lowering, value, as_numpys(value, node)))
    if other is not node:
        return lowering.expression(other)
    put_together = joined(lowering, value, node)
    if put_together is not None:
        return put_together
    if isinstance(value, types.MethodType):
        whose, method = value.__self__, value.__name__
        if operation_of_method(whose, method) is not None:
            held = Held(Const(whose), node.func)
            named = gast.Attribute(held, method, gast.Load())
            node.func = gast.copy_location(named, node.func)
            return called.further(lowering, node)
        first = Held(Const(value.__self__), node)
        func = Held(Const(value.__func__), node.func)
        made = gast.Call(func=func, args=[first, *node.args], keywords=node.keywords)
        return lowering.expression(gast.copy_location(made, node))
    return called.further(lowering, node)


def _by_attribute(lowering: Lowering, node: gast.Call) -> gast.Call:
    """getattr(x, "sum")(...) as x.sum(...)."""
    func = node.func
    if not isinstance(func, gast.Call) or len(func.args) != 2 or func.keywords:
        return node
    base, name = func.args
    word = getattr(name, "value", "")
    plain = isinstance(name, gast.Constant) and isinstance(word, str)
    if not (plain and word.isidentifier() and lowering.resolve(func.func) is getattr):
        return node
    named = gast.Attribute(base, word, gast.Load())
    made = gast.Call(gast.copy_location(named, func), node.args, node.keywords)
    return gast.copy_location(made, node)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """A call that stands for something else than one operation, else None."""
    return None


@answers(Lowering.resolve)
def resolve(lowering: Lowering, node: gast.AST) -> Any:
    """The Python object that a name, a dotted name or a handle leads to."""
    if isinstance(node, Held):
        return object_of(lowering, node.handle)
    if isinstance(node, gast.Name) and lowering.is_local(node.id):
        return object_of(lowering, lookup(lowering, node.id))
    if isinstance(node, gast.Attribute):
        base = lowering.resolve(node.value)
        own = isinstance(base, type) and base.__module__ not in LIBRARIES
        if own:
            return part_of(base, node.attr, NO_VALUE)
    found = resolve.further(lowering, node)
    return stood_in_for(found) or found if isinstance(found, type) else found


@answers(Lowering.function_of)
def function_of(lowering: Lowering, node: gast.AST) -> Any:
    """The user's function that a callee is, or None."""
    if isinstance(node, Held):
        value = getattr(node.handle, "value", None)
        return value if lowering.is_called(value) else None
    return function_of.further(lowering, node)


def _called_by_choice(lowering: Lowering, choice: Choice, node: gast.Call) -> Expr:
    """f(x), where f is one function or another by a condition.

    before:  f = np.tanh if flag else np.sin       after:  if flag:
             y = f(x)                                          y = np.tanh(x)
                                                           else:
                                                               y = np.sin(x)
    """
    args, kwargs = positional(lowering, node), by_keyword(lowering, node)
    if REFUSED in (*args, *(value for _, value in kwargs)):
        return REFUSED
    target = lowering.note.lines[0].target if lowering.note.lines else ""
    return choose(
        lowering,
        choice.test,
        lambda: apply(lowering, choice.then, args, kwargs, node),
        lambda: apply(lowering, choice.orelse, args, kwargs, node),
        target if target.isidentifier() else "chosen",
        lowering.note,
    )

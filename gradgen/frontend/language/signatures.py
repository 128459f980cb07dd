"""The signature of a function that is known, and what it binds.

before:  bound = inspect.signature(f).bind(*args, **kwargs)
         bound.arguments["x"] = np.atleast_1d(bound.arguments["x"])
         return f(*bound.args, **bound.kwargs)
after:   x_atleast_1d = np.atleast_1d(x)
         return f(x_atleast_1d)

A signature and its parameters are objects that are known as they are. What is bound is an
instance of a class in `templates/stand_ins/`, whose fields the text may change.
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.heap.outer_values import given_value
from gradgen.frontend.lowering.callables import Closure, Partial
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import call_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frontend.source.stand_ins import stood_in_for
from gradgen.ir.nodes import Apply, Const, Expr

Parameter = inspect.Parameter
ASKED = (inspect.signature, inspect.Signature.from_callable)
BINDS = ("bind", "bind_partial")
OF_PARAMETERS = ("name", "kind", "default", "annotation", "empty")
KINDS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """inspect.signature(f)."""
    if among(value, ASKED) and len(node.args) == 1 and not node.keywords:
        found = _signature(lowering, lowering.read(node.args[0]))
        if found is not None:
            return Const(found)
    return special_call.further(lowering, value, node)


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    """signature.bind(...), and inspect.getcallargs(f, ...)."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr in BINDS:
        known = _known(lowering, func.value)
        if isinstance(known, inspect.Signature):
            return _bound(lowering, known, func.attr, node)
    if among(lowering.resolve(func), (inspect.getcallargs,)) and node.args:
        function, *args = positional(lowering, node)
        kwargs = dict(by_keyword(lowering, node))
        known = _signature(lowering, function)
        if known is not None and REFUSED not in (*args, *kwargs.values()):
            bound = _arguments(lowering, known.bind, args, kwargs, node)
            every = _defaults(lowering, known, node) | bound
            return new_dict(lowering, {name: every[name] for name in known.parameters})
    return called.further(lowering, node)


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """What a signature has, and one of its parameters."""
    if node.attr == "parameters" or node.attr in OF_PARAMETERS:
        known = _known(lowering, node.value)
        if isinstance(known, inspect.Signature) and node.attr == "parameters":
            return new_dict(
                lowering, {k: Const(p) for k, p in known.parameters.items()}
            )
        if isinstance(known, Parameter) and node.attr in OF_PARAMETERS:
            return _handle(lowering, getattr(known, node.attr), node, known.name)
    return attribute.further(lowering, node)


def _known(lowering: Lowering, node: gast.AST) -> Any:
    """The signature, or the parameter, that an expression is; NO_VALUE of others."""
    handle: Expr | None = None
    if isinstance(node, gast.Name) and lowering.is_local(node.id):
        handle = getattr(node, "handle", None) or lookup(lowering, node.id)
    elif isinstance(node, (gast.Name, gast.Attribute)):
        return lowering.resolve(node)
    elif isinstance(node, gast.Call) and among(lowering.resolve(node.func), ASKED):
        handle = lowering.read(node)
    elif isinstance(node, gast.Subscript) and _of_parameters(node.value):
        handle = lowering.read(node)
    return getattr(handle, "value", NO_VALUE)


def _of_parameters(node: gast.AST) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "parameters"


def _signature(lowering: Lowering, handle: Expr) -> inspect.Signature | None:
    """The signature of a function that a handle is; its defaults may be handles."""
    value = getattr(handle, "value", None)
    if isinstance(value, Closure):
        return _written(value)
    if isinstance(value, Partial):
        inner = _signature(lowering, Const(value.function))
        if inner is None or value.kwargs:
            return None
        every = list(inner.parameters.values())
        starred = [one.kind in KINDS for one in every[: len(value.args)]]
        if any(starred) or len(starred) < len(value.args):
            return None
        return inspect.Signature(every[len(value.args) :])
    if not isinstance(value, (types.FunctionType, types.MethodType, functools.partial)):
        return None
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def _written(closure: Closure) -> inspect.Signature:
    """The signature of a function that stands in the text."""
    spec, found = closure.node.args, []
    default = closure.defaults
    for kind, every in (
        (Parameter.POSITIONAL_ONLY, getattr(spec, "posonlyargs", [])),
        (Parameter.POSITIONAL_OR_KEYWORD, spec.args),
        (Parameter.VAR_POSITIONAL, [spec.vararg] if spec.vararg else []),
        (Parameter.KEYWORD_ONLY, spec.kwonlyargs),
        (Parameter.VAR_KEYWORD, [spec.kwarg] if spec.kwarg else []),
    ):
        for arg in every:
            given = default.get(arg.id, Parameter.empty)
            found.append(Parameter(arg.id, kind, default=given))
    return inspect.Signature(found)


def _bound(
    lowering: Lowering, signature: inspect.Signature, how: str, node: gast.Call
) -> Expr:
    """signature.bind(*args, **kwargs), as an instance."""
    args, kwargs = positional(lowering, node), dict(by_keyword(lowering, node))
    if REFUSED in (*args, *kwargs.values()):
        return REFUSED
    arguments = _arguments(lowering, getattr(signature, how), args, kwargs, node)
    kinds = {k: Const(p.kind.description) for k, p in signature.parameters.items()}
    parts = arguments, kinds, _defaults(lowering, signature, node)
    held = [new_dict(lowering, one) for one in parts]
    made = call_of(Const(stood_in_for(inspect.BoundArguments)), held, (), node)
    return lowering.read(made)


def _arguments(
    lowering: Lowering, bind: Any, args: list[Any], kwargs: dict[str, Expr], node: Any
) -> dict[str, Expr]:
    """The handles of a call by the names of the parameters."""
    try:
        bound = bind(*args, **kwargs)
    except TypeError as error:
        lowering.fail("GG209", f"a call does not fit: {error}", node, "its arguments")
    return {name: _gathered(lowering, one) for name, one in bound.arguments.items()}


def _defaults(
    lowering: Lowering, signature: inspect.Signature, node: gast.AST
) -> dict[str, Expr]:
    """What is bound to the parameters that a call does not give."""
    found: dict[str, Expr] = {}
    for name, one in signature.parameters.items():
        if one.kind in KINDS:
            starred: Any = () if one.kind is Parameter.VAR_POSITIONAL else {}
            found[name] = _gathered(lowering, starred)
        elif one.default is not one.empty:
            found[name] = _handle(lowering, one.default, node, name)
    return found


def _gathered(lowering: Lowering, value: Any) -> Expr:
    """What the starred parameters are bound to, and a handle as it is."""
    if isinstance(value, tuple):
        return Apply("tuple", value)
    return new_dict(lowering, value) if isinstance(value, dict) else value


def _handle(lowering: Lowering, value: Any, node: gast.AST, name: str) -> Expr:
    """A default as a handle; one of a function of the text is one."""
    if isinstance(value, Expr):
        return value
    found = given_value(lowering, value, node, name)
    if found is REFUSED:
        told = f"the default of {name} is not a plain value"
        lowering.fail("GG116", told, node, f"{name}=None")
    return found

"""The functions of the operator module: operators, and getters."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import gast

from gradgen.frontend.calls.arguments import positional
from gradgen.frontend.calls.evaluation import GETTERS
from gradgen.frontend.heap.outer_values import given_value
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.names import is_plain
from gradgen.ir.nodes import Apply, Const, Expr

BINARY: dict[Callable[..., Any], str] = {
    operator.add: "Add",
    operator.sub: "Sub",
    operator.mul: "Mult",
    operator.truediv: "Div",
    operator.pow: "Pow",
    operator.mod: "Mod",
    operator.floordiv: "FloorDiv",
    operator.matmul: "MatMult",
    operator.and_: "BitAnd",
    operator.or_: "BitOr",
    operator.xor: "BitXor",
    operator.lshift: "LShift",
    operator.rshift: "RShift",
}
COMPARED: dict[Callable[..., Any], str] = {
    operator.lt: "Lt",
    operator.le: "LtE",
    operator.gt: "Gt",
    operator.ge: "GtE",
    operator.eq: "Eq",
    operator.ne: "NotEq",
    operator.is_: "Is",
    operator.is_not: "IsNot",
}
UNARY: dict[Callable[..., Any], str] = {
    operator.neg: "USub",
    operator.pos: "UAdd",
    operator.not_: "Not",
    operator.invert: "Invert",
}


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if isinstance(value, GETTERS) and len(node.args) == 1:
        return _got(lowering, value, lowering.read(node.args[0]), node)
    for table in (UNARY, COMPARED, BINARY):
        word = next((word for f, word in table.items() if f is value), None)
        if word is not None:
            return _operated(lowering, word, node)
    if value is operator.getitem and len(node.args) == 2:
        return lowering.item(
            lowering.read(node.args[0]), lowering.read(node.args[1]), node
        )
    return special_call.further(lowering, value, node)


def _operated(lowering: Lowering, word: str, node: gast.Call) -> Expr:
    held: list[Any] = [Held(arg, node) for arg in positional(lowering, node)]
    op, made = getattr(gast, word)(), held[0]
    if word in UNARY.values():
        made = gast.UnaryOp(op=op, operand=held[0])
    elif word in COMPARED.values():
        made = gast.Compare(left=held[0], ops=[op], comparators=[held[1]])
    else:
        made = gast.BinOp(left=held[0], op=op, right=held[1])
    return lowering.read(gast.copy_location(made, node))


def _got(lowering: Lowering, getter: Any, value: Expr, node: gast.Call) -> Expr:
    """operator.itemgetter(0, 1)(x), attrgetter, methodcaller."""
    _, given, *rest = getter.__reduce__()
    if isinstance(getter, operator.itemgetter):
        keys = (given_value(lowering, key, node, "the key") for key in given)
        parts = [lowering.item(value, key, node) for key in keys]
        return parts[0] if len(parts) == 1 else Apply("tuple", tuple(parts))
    if isinstance(getter, operator.attrgetter) and len(given) == 1:
        part = gast.Attribute(Held(value, node), given[0], gast.Load())
        return lowering.read(gast.copy_location(part, node))
    if isinstance(getter, operator.methodcaller):
        made, args, *_ = cast(Any, getter.__reduce__())
        first = [*getattr(made, "args", ()), *args]  # the name, and what goes by place
        named = getattr(made, "keywords", {})
        if all(map(is_plain, (*first, *named.values()))):
            method = gast.Attribute(Held(value, node), first[0], gast.Load())
            given = [Held(Const(one), node) for one in first[1:]]
            words = [gast.keyword(k, Held(Const(v), node)) for k, v in named.items()]
            call = gast.Call(gast.copy_location(method, node), given, words)
            return lowering.read(gast.copy_location(call, node))
    lowering.fail("GG205", "this getter has no rule", node, "a lambda")

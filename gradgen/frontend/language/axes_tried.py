"""What a try block asks an array of unknown rank for: whether it has axes at all.

before:  try:                              after:  if np.ndim(x) == 0:
             iter(x)                                   return x**2
         except TypeError:                         else:
             return x**2                               ...
"""

from __future__ import annotations

from typing import Any

import gast
import numpy

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.fence import own_nodes
from gradgen.ir.nodes import Const, Ref


@handles(gast.Try)
def try_(lowering: Lowering, node: gast.Try) -> None:
    """A branch by np.ndim, where the block does nothing but ask."""
    asked = _asked(node)
    handler = _of_type_errors(lowering, node)
    if asked is None or handler is None or not _is_open(lowering, asked.args[0]):
        return try_.further(lowering, node)
    function = lowering.resolve(asked.func)
    if function is not len and function is not iter:
        return try_.further(lowering, node)
    if function is iter and not _is_idle(lowering, node.body[0]):
        return try_.further(lowering, node)
    told = function is len and isinstance(node.body[0], gast.Assign)
    behind = list(node.body) if told else []
    count = gast.Call(Held(Const(numpy.ndim), asked), [asked.args[0]], [])
    test = gast.Compare(count, [gast.Eq()], [Held(Const(0), asked)])
    made = gast.If(test, handler, behind + node.orelse)
    for part in (made, test, count):
        gast.copy_location(part, node)
    return lowering.statement(made)


def _asked(node: gast.Try) -> Any:
    """The call iter(x) or len(x) that is all that a block does; None for others."""
    if len(node.body) != 1 or node.finalbody:
        return None
    statement: Any = node.body[0]
    if not isinstance(statement, (gast.Expr, gast.Assign)):
        return None
    call = statement.value
    named = isinstance(call, gast.Call) and isinstance(call.func, gast.Name)
    if not named or len(call.args) != 1 or call.keywords:
        return None
    return call if isinstance(call.args[0], gast.Name) else None


def _of_type_errors(lowering: Lowering, node: gast.Try) -> list[Any] | None:
    """What the handler of a TypeError does, which does not look at it."""
    for handler in node.handlers:
        named = getattr(handler.type, "elts", [handler.type])
        kinds = [one if one is None else lowering.resolve(one) for one in named]
        if None in kinds or any(
            isinstance(kind, type) and issubclass(TypeError, kind) for kind in kinds
        ):
            return None if handler.name else list(handler.body)
    return None


def _is_open(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a value may be a number, an array or a list, as far as is known."""
    handle = lowering.read(node)
    if handle is REFUSED or not isinstance(handle, Ref) or lowering.is_number(handle):
        return False
    if contents(lowering, handle) is not None or lowering.is_sequence(handle):
        return False
    return lowering.facts.rank(lowering.current(handle)) is None


def _is_idle(lowering: Lowering, statement: Any) -> bool:
    """Whether what a statement sets is read nowhere."""
    names = {getattr(one, "id", "") for one in getattr(statement, "targets", [])}
    return not any(
        isinstance(one, gast.Name)
        and isinstance(one.ctx, gast.Load)
        and one.id in names
        for one in own_nodes(lowering.frame.node.body)
    )

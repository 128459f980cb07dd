"""(f,) * n: a tuple of one function, of which a number of the text says how long it is.

before:  for col, g in zip(x.T, (f,) * len(x)):     after:  for col in x.T:
             total += g(col)                                    total += f(col)
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.callables import Repeats
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.pending import Items
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Const, Expr


@answers(Lowering.items)
def items(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    if isinstance(node, gast.BinOp) and _is_written(node):
        node = Held(lowering.read(node), node)
    known = _named(lowering, node)
    if known is not None:
        return Items(length=known.count, at=lambda index: known.function)
    return items.further(lowering, node, sets)


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    known = _repeats(base)
    if known is None:
        return item.further(lowering, base, key, node)
    if is_slice(key):
        told = "a part of a list of one function is not supported"
        lowering.fail("GG241", told, node, "the function by its name")
    return known.function


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    known = _named(lowering, node.args[0]) if value is len and node.args else None
    return special_call.further(lowering, value, node) if known is None else known.count


def _named(lowering: Lowering, node: gast.AST) -> Repeats | None:
    """What a name stands for, which is not read for that."""
    if isinstance(node, Held):
        return _repeats(node.handle)
    return _repeats(lookup(lowering, node.id)) if isinstance(node, gast.Name) else None


def _is_written(node: gast.BinOp) -> bool:
    """Whether one side of an operator is a list or a tuple that is written out."""
    sides = node.left, node.right
    return any(isinstance(side, (gast.List, gast.Tuple)) for side in sides)


def _repeats(handle: Any) -> Repeats | None:
    found = handle.value if isinstance(handle, Const) else None
    return found if isinstance(found, Repeats) else None

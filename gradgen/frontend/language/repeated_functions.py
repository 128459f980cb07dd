"""(f,) * n: a tuple of one function, of which a number of the text says how long it is.

before:  for col, g in zip(x.T, (f,) * len(x)):     after:  for col in x.T:
             total += g(col)                                    total += f(col)
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.callables import Repeats
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.pending import Items
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Const, Expr


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    """[f] * n and (f,) * n, of a function and a number that is not known."""
    if isinstance(node.op, gast.Mult) and _is_written(node):
        left, right = lowering.read(node.left), lowering.read(node.right)
        for one, other in ((left, right), (right, left)):
            same = _repeated(lowering, one, other)
            if same is not None:
                return same
        sides = Held(left, node.left), Held(right, node.right)
        made = gast.BinOp(left=sides[0], op=node.op, right=sides[1])
        node = gast.copy_location(made, node)
    return binary_operation.further(lowering, node)


def _repeated(lowering: Lowering, items: Expr, count: Expr) -> Const | None:
    known = contents(lowering, items) if REFUSED not in (items, count) else None
    if known is None or known.op not in ("list", "tuple") or len(known.args) != 1:
        return None
    one = known.args[0]
    if not isinstance(one, Const) or not callable(one.value):
        return None
    if isinstance(value_known(lowering, count), int):
        return None
    return Const(Repeats(one, lowering.current(count)))


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

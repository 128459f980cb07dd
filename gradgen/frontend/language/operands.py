"""What a statement has read, and not used yet, while a call in it changes something.

    return self.total * self.add(v)     # where add says self.total += v

The factor on the left is another value than before if it is an array, and the same if
it is a number: a change of what waits, which no name tells of, is one of what is shared.
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Apply, Expr, Ref


@answers(Lowering.read)
def read(lowering: Lowering, node: gast.AST) -> Expr:
    found = read.further(lowering, node)
    if isinstance(found, (Ref, Apply)) and not isinstance(node, Held):
        lowering.operands[-1].append(found)
    return found


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    for arg in value.args:
        if arg in lowering.operands[-1]:
            lowering.operands[-1].remove(arg)
    return bind.further(lowering, value, node)


@answers(Lowering.inlined)
def inlined(
    lowering: Lowering, frame: Frame, bound: dict[Any, Any], node: gast.AST
) -> Expr:
    lowering.operands.append([])
    try:
        return inlined.further(lowering, frame, bound, node)
    finally:
        lowering.operands.pop()


@answers(Lowering.is_shared)
def is_shared(lowering: Lowering, handle: Ref) -> bool:
    around = lowering.memory.around(lowering.memory.buffer(handle.var))
    return is_shared.further(lowering, handle) or any(
        lowering.memory.buffer(leaf.var) in around
        for waiting in lowering.operands[:-1]
        for tree in waiting
        for leaf in leaves(tree)
        if isinstance(leaf, Ref) and leaf.var not in lowering.memory.numbers
    )

"""Generators of the function: what a yield hands over, and where."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.branches import block, flag, no_jump, set_flag
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.lowering.callables import Closure
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held, Slot
from gradgen.frontend.lowering.jumps import BROKE, FALSE, GONE, RETURNED, STOP, TRUE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves
from gradgen.frontend.lowering.pending import Consumer, Place
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add


def place_of(lowering: Lowering, node: gast.AST) -> Place:
    parts = (getattr(node, name, None) for name in Held._attributes)
    return (lowering.frame.number, *parts)


def write_yield(lowering: Lowering, node: gast.Expr) -> None:
    """yield v, as a statement of its own."""
    value = node.value
    if isinstance(value, gast.YieldFrom):
        return _delegated(lowering, value, node)
    lowering.start(node, "out")
    given = Const(None) if value.value is None else lowering.read(value.value)
    if given is REFUSED:
        raise Refusal
    _yielded(lowering, given, node)


def _delegated(lowering: Lowering, value: gast.YieldFrom, node: gast.Expr) -> None:
    """yield from items, as for v in items: yield v."""
    slot: Any = Slot(node)
    again = gast.Expr(value=gast.Yield(value=slot))
    loop: Any = gast.For(
        target=slot, iter=value.value, body=[again], orelse=[], type_comment=None
    )
    placed(lowering, loop, node)
    block(lowering, [loop])


def _yielded(lowering: Lowering, value: Expr, node: gast.Expr) -> None:
    frame = lowering.frame
    consumer = lowering.consumers[frame.number]
    if consumer is None:
        _refuse_late(lowering, value, node)
        func = gast.Attribute(
            value=Held(lowering.lists_yielded[frame.number], node),
            attr="append",
            ctx=gast.Load(),
        )
        call = gast.Call(func=func, args=[Held(value, node)], keywords=[])
        lowering.method_call(placed(lowering, call, node))
        return
    note, lowering.frame = lowering.note, consumer.frame
    try:
        no_jump(lowering)
        if consumer.count is not None:
            number = _counted(lowering, consumer, consumer.node)
            value = Apply("tuple", (number, value))
        lowering.note = consumer.note
        lowering.assign(consumer.node.target, value, lowering.mark())
        block(lowering, consumer.node.body)
        stop = TRUE if lowering.state.dead else flag(lowering, STOP)
        for name in (GONE, STOP):
            set_flag(lowering, name, FALSE)
    finally:
        lowering.frame, lowering.note = frame, note
    if stop != FALSE:
        for name in (RETURNED, GONE):
            set_flag(lowering, name, stop)
        if frame.loops:
            set_flag(lowering, STOP, stop)
            set_flag(lowering, BROKE, stop)


def _refuse_late(lowering: Lowering, value: Expr, node: gast.AST) -> None:
    """Refuses a function that reads names of the generator when it is called."""
    for leaf in leaves(value):
        known = getattr(leaf, "value", None)
        if isinstance(known, Closure) and known.frame is lowering.frame:
            lowering.fail(
                "GG268",
                f"{known.__name__} reads what the generator has by the time that "
                "it is called",
                node,
                "the values that it reads as arguments",
            )


def _counted(lowering: Lowering, consumer: Consumer, node: gast.AST) -> Expr:
    """The number of this round."""
    assert consumer.count is not None
    key = consumer.frame.number, consumer.count
    number = lowering.state.names[key]
    if isinstance(number, Const):
        new: Expr = Const(number.value + 1)
    else:
        new = lowering.bind(add(number, Const(1)), node)
    lowering.state.names[key] = new
    return new

"""Generator functions: what they yield goes into the loop, or into a list.

A loop over a call of one is the generator's own text with the loop's body in the place
of each yield. Where all of it is taken at once, it is the list of what it yields.
"""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any

import gast

from gradgen.frontend.calls.arguments import Ended
from gradgen.frontend.calls.fields import lend
from gradgen.frontend.calls.methods import method_of
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.control.generators import has_changed, read_later
from gradgen.frontend.control.loops import enter_loop, leave_loop
from gradgen.frontend.control.yielding import place_of
from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.callables import Closure, Partial
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.held import Held, Slot
from gradgen.frontend.lowering.jumps import FALSE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.pending import Consumer, Items
from gradgen.frontend.source.fence import own_nodes
from gradgen.frontend.source.lookup import looked_up
from gradgen.frontend.source.reach import is_users_class
from gradgen.ir.nodes import Apply, Const, Expr


@handles(gast.For)
def for_loop(lowering: Lowering, node: gast.For) -> None:
    """for v in steps(x): the text of steps, with the body for each yield."""
    call, start = _counted_call(lowering, node.iter)
    if call is None or not _calls_generator(lowering, call):
        for_loop.further(lowering, node)
        return
    target = lowering.source.one_line(node.target)
    text = f"for {target} in {lowering.source.one_line(node.iter)}"
    lowering.start(node, target, text, node.iter)
    consumer = Consumer(node, lowering.frame, lowering.note)
    if start is not None:
        consumer.count = f"count.{lowering.mark()}"
        key = lowering.frame.number, consumer.count
        lowering.state.names[key] = Const(start - 1)
    saved = enter_loop(lowering)
    try:
        _taken(lowering, call, consumer)
    except Ended:
        pass
    leave_loop(lowering, node, saved, consumer.note)


def _counted_call(lowering: Lowering, node: Any) -> tuple[gast.Call | None, int | None]:
    """The call that a loop goes over, and where it counts from."""
    if not isinstance(node, gast.Call):
        return _iter_of(lowering, node), None
    value = lowering.resolve(node.func)
    if value is not enumerate or not node.args:
        made = isinstance(value, type) and is_users_class(value)
        return (_iter_of(lowering, node) if made else node), None
    given = [*node.args[1:], *(k.value for k in node.keywords)]
    inner, counted = _counted_call(lowering, node.args[0])
    if inner is None or counted is not None or not _calls_generator(lowering, inner):
        return None, None
    start = value_known(lowering, lowering.read(given[0])) if given else 0
    return (inner, start) if type(start) is int else (None, None)


def _iter_of(lowering: Lowering, node: Any) -> gast.Call | None:
    """x.__iter__() for an instance x whose class has a generator of that name."""
    base = node
    while isinstance(base, gast.Attribute):
        base = base.value
    if isinstance(base, gast.Name) and not lowering.is_local(base.id):
        return None
    if base is node and isinstance(node, gast.Call):
        if not is_generator(
            lowering, looked_up(lowering.resolve(node.func), "__iter__")
        ):
            return None
    elif not isinstance(base, gast.Name):
        return None
    handle = lowering.read(node)
    known = contents(lowering, handle) if handle is not REFUSED else None
    if not isinstance(known, Record):
        return None
    if not is_generator(lowering, looked_up(known.cls, "__iter__")):
        return None
    func = gast.Attribute(lend(lowering, node, handle), "__iter__", gast.Load())
    return placed(lowering, gast.Call(func=func, args=[], keywords=[]), node)


def _calls_generator(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call is of a generator function; nothing is written."""
    func = node.func
    base = func.value if isinstance(func, gast.Attribute) else func
    while isinstance(base, gast.Attribute):
        base = base.value
    if not isinstance(base, (gast.Name, Held)):
        return False
    found: Any = None
    if isinstance(func, gast.Attribute) and lowering.is_local(getattr(base, "id", "")):
        handle, _ = method_of(lowering, func)
        found = getattr(handle, "value", None)
    else:
        found = lowering.function_of(func)
    return is_generator(lowering, found)


def is_generator(lowering: Lowering, function: Any) -> bool:
    """Whether a function that is known has a yield of its own."""
    while isinstance(function, Partial):
        function = function.function
    if isinstance(function, Closure):
        return yields(function.node)
    plain = isinstance(function, types.FunctionType)
    return plain and bool(function.__code__.co_flags & 0x20)


@answers(Lowering.items)
def items(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    """What is gone over; of a generator it is noted what it reads."""
    if isinstance(node, gast.Call) and _calls_generator(lowering, node):
        read_later(lowering, node)
    return items.further(lowering, node, sets)


@answers(Lowering.is_lazy)
def is_lazy(lowering: Lowering, node: gast.AST) -> bool:
    """A call of a generator function is computed as it is gone through too."""
    called = isinstance(node, gast.Call) and _calls_generator(lowering, node)
    return called or is_lazy.further(lowering, node)


def _taken(lowering: Lowering, call: Any, consumer: Consumer | None) -> Expr:
    """The call of a generator function, with what is done with its values."""
    place = place_of(lowering, call)
    before = lowering.taking.get(place, FALSE)
    lowering.taking[place] = consumer
    try:
        return (
            lowering.expression(call)
            if consumer
            else read_at_once.further(lowering, call)
        )
    finally:
        del lowering.taking[place]
        if before != FALSE:
            lowering.taking[place] = before  # type: ignore[assignment]


@answers(Lowering.read_at_once)
def read_at_once(lowering: Lowering, node: Any) -> Expr:
    return _taken(lowering, node, None)


@answers(Lowering.inlined)
def inlined(
    lowering: Lowering, frame: Frame, bound: dict[Any, Any], node: gast.AST
) -> Expr:
    if isinstance(frame.node, gast.Lambda) or not yields(frame.node):
        return inlined.further(lowering, frame, bound, node)
    place = place_of(lowering, node)
    if place not in lowering.taking:
        lowering.fail(
            "GG268",
            f"{frame.name} is a generator: it is computed as it is gone through, "
            "and once",
            node,
            f"list({lowering.source.segment(node)})",
        )
    consumer = lowering.taking[place]
    lowering.consumers[frame.number] = consumer
    if consumer is not None:
        inlined.further(lowering, frame, bound, node)
        return Const(None)
    if has_no_end(frame.node):
        lowering.fail(
            "GG268",
            f"{frame.name} has no end, and is gone through as a whole",
            node,
            f"a loop with a break: for v in {lowering.source.segment(node)}",
        )
    start = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    before, mark = lowering.state.copy(), lowering.mark()
    lowering.lists_yielded[frame.number] = start
    inlined.further(lowering, frame, bound, node)
    if has_changed(lowering, before, mark, start.var):
        lowering.fail(
            "GG268",
            f"{frame.name} changes what is read elsewhere while it is gone through",
            node,
            f"a loop over it: for v in {lowering.source.segment(node)}",
        )
    return start


@handles(Slot)
def slot(lowering: Lowering, node: Slot) -> Expr:
    return node.handle


def has_no_end(node: Any) -> bool:
    """Whether a function has a loop that nothing ends."""
    for loop in own_nodes(node.body):
        test = getattr(loop, "test", None)
        if isinstance(loop, gast.While) and isinstance(test, gast.Constant):
            jumps = (gast.Break, gast.Return, gast.Raise)
            if test.value and not any(
                isinstance(n, jumps) for n in own_nodes(loop.body)
            ):
                return True
    return False


@lru_cache(maxsize=1024)
def yields(node: Any) -> bool:
    """Whether a function's own statements have a yield."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return False
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in own_nodes(body))

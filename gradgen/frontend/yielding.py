"""Generator functions: what they yield goes into the loop, or into a list.

A loop over a call of one is the generator's own text with the loop's body in the place
of each yield. Where all of it is taken at once, it is the list of what it yields.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import gast

from gradgen.frontend.callables import Closure, Partial
from gradgen.frontend.calls import Ended
from gradgen.frontend.fence import own_nodes
from gradgen.frontend.held import Held, Slot
from gradgen.frontend.jumps import BROKE, FALSE, GONE, RETURNED, STOP, TRUE
from gradgen.frontend.iteration import Items
from gradgen.frontend.lookup import looked_up
from gradgen.frontend.memory import Record, leaves
from gradgen.frontend.objects import Objects
from gradgen.frontend.reach import is_users_class
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Note
from gradgen.ir.operators import add

Place = tuple[Any, ...]


@dataclass
class Consumer:
    """The loop that goes over what a generator yields, and the count of its rounds."""

    node: gast.For
    frame: Frame
    note: Note
    count: str | None = None


class Yielding(Objects):
    """Writes calls of generator functions."""

    # what is done with what the generator call at a place yields
    taking: dict[Place, Consumer | None]
    # what the generator of a call hands its values to: a loop, or else a list
    consumers: dict[int, Consumer | None]
    lists_yielded: dict[int, Expr]

    def write_For(self, node: gast.For) -> None:
        """for v in steps(x): the text of steps, with the body for each yield."""
        call, start = self._counted_call(node.iter)
        if call is None or not self._calls_generator(call):
            super().write_For(node)
            return
        target = self.source.one_line(node.target)
        text = f"for {target} in {self.source.one_line(node.iter)}"
        self.start(node, target, text, node.iter)
        consumer = Consumer(node, self.frame, self.note)
        if start is not None:
            consumer.count = f"count.{self.mark()}"
            key = self.frame.number, consumer.count
            self.state.names[key] = Const(start - 1)
        saved = self.enter_loop()
        try:
            self._taken(call, consumer)
        except Ended:
            pass
        self.leave_loop(node, saved, consumer.note)

    def _counted_call(self, node: Any) -> tuple[gast.Call | None, int | None]:
        """The call that a loop goes over, and where it counts from."""
        if not isinstance(node, gast.Call):
            return self._iter_of(node), None
        value = self.resolve(node.func)
        if value is not enumerate or not node.args:
            made = isinstance(value, type) and is_users_class(value)
            return (self._iter_of(node) if made else node), None
        given = [*node.args[1:], *(k.value for k in node.keywords)]
        inner, counted = self._counted_call(node.args[0])
        if inner is None or counted is not None or not self._calls_generator(inner):
            return None, None
        start = self.value_known(self.read(given[0])) if given else 0
        return (inner, start) if type(start) is int else (None, None)

    def _iter_of(self, node: Any) -> gast.Call | None:
        """x.__iter__() for an instance x whose class has a generator of that name."""
        base = node
        while isinstance(base, gast.Attribute):
            base = base.value
        if isinstance(base, gast.Name) and not self.is_local(base.id):
            return None
        if base is node and isinstance(node, gast.Call):
            if not self.is_generator(looked_up(self.resolve(node.func), "__iter__")):
                return None
        elif not isinstance(base, gast.Name):
            return None
        handle = self.read(node)
        known = self.contents(handle) if handle is not REFUSED else None
        if not isinstance(known, Record):
            return None
        if not self.is_generator(looked_up(known.cls, "__iter__")):
            return None
        func = gast.Attribute(self.lent(node, handle), "__iter__", gast.Load())
        return self._placed(gast.Call(func=func, args=[], keywords=[]), node)

    def _calls_generator(self, node: gast.Call) -> bool:
        """Whether a call is of a generator function; nothing is written."""
        func = node.func
        base = func.value if isinstance(func, gast.Attribute) else func
        while isinstance(base, gast.Attribute):
            base = base.value
        if not isinstance(base, (gast.Name, Held)):
            return False
        found: Any = None
        if isinstance(func, gast.Attribute) and self.is_local(getattr(base, "id", "")):
            handle, _ = self._method_of(func)
            found = getattr(handle, "value", None)
        else:
            found = self.function_of(func)
        return self.is_generator(found)

    def is_generator(self, function: Any) -> bool:
        """Whether a function that is known has a yield of its own."""
        while isinstance(function, Partial):
            function = function.function
        if isinstance(function, Closure):
            return yields(function.node)
        plain = isinstance(function, types.FunctionType)
        return plain and bool(function.__code__.co_flags & 0x20)

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        """What is gone over; of a generator it is noted what it reads."""
        if isinstance(node, gast.Call) and self._calls_generator(node):
            self.read_later(node)
        return super().items(node, sets)

    def is_lazy(self, node: gast.AST) -> bool:
        """A call of a generator function is computed as it is gone through too."""
        called = isinstance(node, gast.Call) and self._calls_generator(node)
        return called or super().is_lazy(node)

    def place_of(self, node: gast.AST) -> Place:
        parts = (getattr(node, name, None) for name in Held._attributes)
        return (self.frame.number, *parts)

    def _taken(self, call: Any, consumer: Consumer | None) -> Expr:
        """The call of a generator function, with what is done with its values."""
        place = self.place_of(call)
        before = self.taking.get(place, FALSE)
        self.taking[place] = consumer
        try:
            return self.read_Call(call) if consumer else super().read_at_once(call)
        finally:
            del self.taking[place]
            if before != FALSE:
                self.taking[place] = before  # type: ignore[assignment]

    def read_at_once(self, node: Any) -> Expr:
        return self._taken(node, None)

    def _inlined(self, frame: Frame, bound: dict[Any, Any], node: gast.AST) -> Expr:
        if isinstance(frame.node, gast.Lambda) or not yields(frame.node):
            return super()._inlined(frame, bound, node)
        place = self.place_of(node)
        if place not in self.taking:
            self.fail(
                "GG268",
                f"{frame.name} is a generator: it is computed as it is gone through, "
                "and once",
                node,
                f"list({self.source.segment(node)})",
            )
        consumer = self.taking[place]
        self.consumers[frame.number] = consumer
        if consumer is not None:
            super()._inlined(frame, bound, node)
            return Const(None)
        if has_no_end(frame.node):
            self.fail(
                "GG268",
                f"{frame.name} has no end, and is gone through as a whole",
                node,
                f"a loop with a break: for v in {self.source.segment(node)}",
            )
        start = self.new_list(Apply("list", ()), self.wish_of_list())
        before, mark = self.state.copy(), self.mark()
        self.lists_yielded[frame.number] = start
        super()._inlined(frame, bound, node)
        if self.has_changed(before, mark, start.var):
            self.fail(
                "GG268",
                f"{frame.name} changes what is read elsewhere while it is gone through",
                node,
                f"a loop over it: for v in {self.source.segment(node)}",
            )
        return start

    def write_yield(self, node: gast.Expr) -> None:
        """yield v, as a statement of its own."""
        value = node.value
        if isinstance(value, gast.YieldFrom):
            return self._delegated(value, node)
        self.start(node, "out")
        given = Const(None) if value.value is None else self.read(value.value)
        if given is REFUSED:
            raise Refusal
        self._yielded(given, node)

    def _delegated(self, value: gast.YieldFrom, node: gast.Expr) -> None:
        """yield from items, as for v in items: yield v."""
        slot: Any = Slot(node)
        again = gast.Expr(value=gast.Yield(value=slot))
        loop: Any = gast.For(
            target=slot, iter=value.value, body=[again], orelse=[], type_comment=None
        )
        self._placed(loop, node)
        self.block([loop])

    def read_Slot(self, node: Slot) -> Expr:
        return node.handle

    def _yielded(self, value: Expr, node: gast.Expr) -> None:
        frame = self.frame
        consumer = self.consumers[frame.number]
        if consumer is None:
            self._refuse_late(value, node)
            func = gast.Attribute(
                value=Held(self.lists_yielded[frame.number], node),
                attr="append",
                ctx=gast.Load(),
            )
            call = gast.Call(func=func, args=[Held(value, node)], keywords=[])
            self.method_call(self._placed(call, node))
            return
        note, self.frame = self.note, consumer.frame
        try:
            self.no_jump()
            if consumer.count is not None:
                number = self._counted(consumer, consumer.node)
                value = Apply("tuple", (number, value))
            self.note = consumer.note
            self.assign(consumer.node.target, value, self.mark())
            self.block(consumer.node.body)
            stop = TRUE if self.state.dead else self.flag(STOP)
            for name in (GONE, STOP):
                self.set_flag(name, FALSE)
        finally:
            self.frame, self.note = frame, note
        if stop != FALSE:
            for name in (RETURNED, GONE):
                self.set_flag(name, stop)
            if frame.loops:
                self.set_flag(STOP, stop)
                self.set_flag(BROKE, stop)

    def _refuse_late(self, value: Expr, node: gast.AST) -> None:
        """Refuses a function that reads names of the generator when it is called."""
        for leaf in leaves(value):
            known = getattr(leaf, "value", None)
            if isinstance(known, Closure) and known.frame is self.frame:
                self.fail(
                    "GG268",
                    f"{known.__name__} reads what the generator has by the time that "
                    "it is called",
                    node,
                    "the values that it reads as arguments",
                )

    def _counted(self, consumer: Consumer, node: gast.AST) -> Expr:
        """The number of this round."""
        assert consumer.count is not None
        key = consumer.frame.number, consumer.count
        number = self.state.names[key]
        if isinstance(number, Const):
            new: Expr = Const(number.value + 1)
        else:
            new = self.bind(add(number, Const(1)), node)
        self.state.names[key] = new
        return new


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


def yields(node: Any) -> bool:
    """Whether a function's own statements have a yield."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return False
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in own_nodes(body))

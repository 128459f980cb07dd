"""What a for loop goes over: a range, the rows of an array, several at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from typing import Any

import gast

from gradgen.frontend.lookup import among
from gradgen.frontend.generators import Generators
from gradgen.frontend.jumps import BROKE, FALSE, GONE, STOP, TRUE
from gradgen.frontend.lengths import lengths
from gradgen.frontend.loops import Loops
from gradgen.frontend.statics import SetOf
from gradgen.frontend.ranges import Span, backwards, cut, is_count
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Note, Origin, Ref
from gradgen.ir.operators import add, getitem, multiply, subtract

# a loop over items that are known is written out, up to so many rounds
ROUNDS = 64
# and one over so many numbers, where it cannot be a loop
SHORT = 16


@dataclass(frozen=True)
class Items:
    """What is gone over: handles that are known, or a length and what is at i.

    `span` is the start, stop and step of a range.
    """

    known: tuple[Expr, ...] | None = None
    span: Span | None = None
    length: Expr | None = None
    at: Callable[[Expr], Expr] | None = None


class Iteration(Generators, Loops):
    """Writes for and while statements."""

    def write_For(self, node: gast.For) -> None:
        target = self.source.one_line(node.target)
        text = f"for {target} in {self.source.one_line(node.iter)}"
        self.start(node, target, text, node.iter)
        note = self.note
        mark, first = len(self.lists_read), len(self.generated)
        items = self.items(node.iter, sets=_only_drops(node))
        reads, self.generated = self.generated[first:], self.generated[:first]
        lists, self.lists_read = self.lists_read[mark:], self.lists_read[:mark]
        self.gone_over += lists
        try:
            self._for(node, items, note)
        finally:
            del self.gone_over[len(self.gone_over) - len(lists) :]
        self.refuse_read_later(reads)

    def _for(self, node: gast.For, items: Items, note: Note) -> None:
        """The loop over what has been read."""
        if items.known is not None:
            if len(items.known) > ROUNDS:
                is_name = isinstance(node.iter, gast.Name)
                self.fail(
                    "GG242",
                    f"a loop over {len(items.known)} items is too long to write out",
                    node.iter,
                    f"np.array({node.iter.id})" if is_name else "an array of them",
                )
            self.written_out(node, items.known, note)
            return
        span = self._span(items)
        short = self.root.source.unrolled or self.needs_rounds(node)
        if short and items.at is None and self._is_short(span):
            numbers = range(*(self.value_known(part) for part in span))
            self.written_out(node, tuple(map(Const, numbers)), note)
            return
        over = Apply("range", tuple(self.current(part) for part in span))
        self._counted_loop(node, items, over, note)

    def _is_short(self, span: Span) -> bool:
        """Whether a range has so few numbers that its rounds may be written out."""
        parts = [self.value_known(part) for part in span]
        whole = all(type(part) is int for part in parts) and parts[2] != 0
        return whole and len(range(*parts)) <= SHORT

    def _counted_loop(
        self, node: gast.For, items: Items, over: Apply, note: Note
    ) -> None:
        if isinstance(node.target, gast.Name) and items.at is None:
            index = self.counter(node.target.id.strip(), Origin.USER)
        else:
            index = self.counter("i", Origin.COUNT)

        def enter() -> None:
            mark = self.mark()
            value = Ref(index) if items.at is None else items.at(Ref(index))
            self.assign(node.target, value, mark)

        self.loop(node, over, index, enter, None, note)

    def written_out(self, node: gast.For, known: tuple[Expr, ...], note: Note) -> None:
        """A loop over known items, one round behind the other."""
        saved = self.enter_loop()

        def rounds(i: int) -> None:
            if i == len(known):
                return
            self.set_flag(GONE, FALSE)
            self.note = note
            self.assign(node.target, self.live_item(known[i], node), self.mark())
            self.block(node.body)
            stop = TRUE if self.state.dead else self.flag(STOP)
            if stop == FALSE:
                rounds(i + 1)
            elif stop != TRUE and i + 1 < len(known):
                self.note = note
                self.unless_jumped(stop, lambda: rounds(i + 1))

        rounds(0)
        self.leave_loop(node, saved, note)

    # what is gone over

    def _span(self, items: Items) -> Span:
        """The start, stop and step of the places of what is not known item by item."""
        if items.span is not None:
            return items.span
        if items.length is None:
            place = self.source.node
            self.fail(
                "GG243", "this has no end", place, "zip(x, ...) with what has one"
            )
        return Const(0), items.length, Const(1)

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        """What an expression after `in` goes over; a set only where it has no order."""
        if isinstance(node, gast.Call):
            function = self.resolve(node.func)
            if function is range:
                return self._range(node)
            if function is enumerate and node.args:
                return self._enumerate(node)
            if function is reversed and len(node.args) == 1:
                of = self.unless_reversed(node.args[0])
                return self._reversed(self.items(of), node)
            if among(function, (list, tuple)) and len(node.args) == 1:
                items = self.items(node.args[0], sets)
                self.read_first(node.args[0], rows=True)  # list(y) is a copy
                return items
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
            part = self._part(node)
            if part is not None:
                return part
        if isinstance(node, gast.GeneratorExp):
            parts = (gast.walk(part.target) for part in node.generators)
            names = (n.id for part in parts for n in part if isinstance(n, gast.Name))
            self.read_later(node, set(names))
        handle = self.gone_through(self.read_at_once(node), node)
        if handle is REFUSED:
            raise Refusal
        known = self.contents(lengths(self, handle, node, strict=False))
        if isinstance(handle, Ref) and self.is_list(handle):
            self.lists_read.append(self.memory.buffer(handle.var))
        if known is not None:
            if isinstance(known, SetOf) and not sets:
                self.fail(
                    "GG243", "the order of a set is not fixed", node, "sorted(...)"
                )
            if known.op == "dict":
                return Items(known=tuple(key for key, _ in self.pairs(known)))
            return Items(known=known.args)
        if not isinstance(handle, Ref) or self.is_number(handle):
            self.fail(
                "GG243",
                "a loop over this is not supported",
                node,
                "for i in range(...), or the rows of an array",
            )
        length = self.bind(Apply("len", (handle,), (), "name:len"), node)

        def at(index: Expr) -> Expr:
            return self.item(handle, index, node)

        return Items(length=length, at=at)

    def _range(self, node: gast.Call) -> Items:
        if node.keywords or not 1 <= len(node.args) <= 3:
            self.fail("GG209", "range takes 1 to 3 arguments", node, "range(n)")
        parts = [self.read(arg) for arg in node.args]
        if REFUSED in parts:
            raise Refusal
        if len(parts) == 1:
            parts = [Const(0), parts[0]]
        span = parts[0], parts[1], (parts[2] if len(parts) == 3 else Const(1))
        return Items(span=span)

    def _part(self, node: gast.Subscript) -> Items | None:
        """A slice of a range, which is a range; None for one of something else."""
        base, key = node.value, node.slice
        while isinstance(base, gast.Subscript):
            base = base.value
        if isinstance(base, gast.Call):
            if self.resolve(base.func) is not range:
                return None
        elif not self._is_dynamic(node.value):
            return None
        whole = self.items(node.value)
        first, end, step = (
            Const(None) if part is None else self.read(part)
            for part in (key.lower, key.upper, key.step)
        )
        span, at = self._span(whole), whole.at
        if whole.span is None:
            if isinstance(end, Const) and type(end.value) is int and end.value < 0:
                less = subtract(span[1], Const(-end.value))
                span, end = (Const(0), self.bind(less, node), Const(1)), Const(None)
        parts = (*span, first, end, step)
        if all(isinstance(part, Const) for part in parts):
            numbers = range(*(part.value for part in span))
            numbers = numbers[first.value : end.value : step.value]
            bounds = Const(numbers.start), Const(numbers.stop), Const(numbers.step)
            return Items(span=bounds, at=at)

        def write(value: Apply) -> Expr:
            return self.bind(value, node)

        if first == end == Const(None) and step == Const(-1):
            return Items(span=backwards(span, write), at=at)
        places = ((key.lower, first), (key.upper, end))
        if step in (Const(None), Const(1)) and all(
            self._is_natural(place, value) for place, value in places
        ):
            part = cut(span, first, end, write)
            if part is not None:
                return Items(span=part, at=at)
        self.fail(
            "GG243",
            "this part of a range or a list is not supported",
            node,
            "range(...) of the numbers themselves",
        )

    def _is_dynamic(self, node: gast.AST) -> bool:
        """Whether an expression is the name of a list of unknown length."""
        if not isinstance(node, gast.Name) or not self.is_local(node.id):
            return False
        handle = self.lookup(node.id)
        is_list = isinstance(handle, Ref) and self.is_list(handle)
        return is_list and handle is not None and self.contents(handle) is None

    def _is_natural(self, node: gast.AST, value: Expr) -> bool:
        """Whether a place in a range is none, or surely not below 0."""
        if isinstance(value, Const):
            return value.value is None or value.value >= 0
        defined = self._assigned_to(value)
        if isinstance(defined, Apply) and defined.op == "len":
            return True
        return is_count(node, self.frame.node)

    def _assigned_to(self, value: Expr) -> Expr | None:
        """What a variable was assigned, where that is known."""
        known = self.facts.definitions
        return known.get(value.var) if isinstance(value, Ref) else None

    def counted(self, items: Items, node: gast.AST) -> Items:
        """The same with a length and what is at each place of it."""
        if items.span is None:
            return items
        start, stop, step = items.span
        if items.at is None and all(isinstance(part, Const) for part in items.span):
            numbers = range(start.value, stop.value, step.value)
            if len(numbers) <= ROUNDS and start.value != 0:
                return Items(known=tuple(map(Const, numbers)))
        if step == stop == Const(-1):  # reversed(...)
            inner = items.at or _itself
            return Items(
                length=self._one_more(start, node),
                at=lambda i: inner(self.bind(subtract(start, i), node)),
            )
        if step != Const(1):
            self.fail(
                "GG243",
                "a range with a step is not supported among others",
                node,
                "range(n), and the place computed from it",
            )
        inner = items.at or _itself
        if start == Const(0):
            return Items(length=stop, at=inner)
        length = self.bind(subtract(stop, start), node)
        return Items(length=length, at=lambda i: inner(self.bind(add(start, i), node)))

    def _one_more(self, number: Expr, node: gast.AST) -> Expr:
        """number + 1; n for n - 1."""
        value = self._assigned_to(number)
        if isinstance(value, Apply) and value.op == "numpy.subtract":
            if value.args[1] == Const(1):
                return value.args[0]
        return self.bind(add(number, Const(1)), node)

    def _enumerate(self, node: gast.Call) -> Items:
        inner = self.counted(self.items(node.args[0]), node)
        given = [*node.args[1:], *(k.value for k in node.keywords)]
        start = self.read(given[0]) if given else Const(0)
        if inner.known is not None and isinstance(start, Const):
            pairs = enumerate(inner.known, start.value)
            return Items(known=tuple(_pair(Const(i), item) for i, item in pairs))
        at = inner.at
        if at is None:
            self.fail("GG243", "this cannot be counted", node, "enumerate(x)")

        def both(index: Expr) -> Expr:
            number = index
            if start != Const(0):
                number = self.bind(add(index, start), node)
            return _pair(number, at(index))

        return Items(length=inner.length, at=both)

    def _reversed(self, items: Items, node: gast.AST) -> Items:
        if items.known is not None:
            return Items(known=items.known[::-1])
        if items.span is not None:
            span = backwards(items.span, lambda v: self.bind(v, node))
            return Items(span=span, at=items.at)
        assert items.length is not None
        last = self.bind(subtract(items.length, Const(1)), node)
        return Items(span=(last, Const(-1), Const(-1)), at=items.at)

    def write_While(self, node: gast.While) -> None:
        text = f"while {self.source.one_line(node.test)}"
        self.start(node, "", text, node.test)
        index = self.counter("i")
        self.loop(node, None, index, lambda: None, node.test, self.note)

    def write_Break(self, node: gast.Break) -> None:
        for name in (GONE, STOP, BROKE):
            self.set_flag(name, TRUE)

    def write_Continue(self, node: gast.Continue) -> None:
        self.set_flag(GONE, TRUE)


def _itself(index: Expr) -> Expr:
    return index


def _pair(a: Expr, b: Expr) -> Apply:
    return Apply("tuple", (a, b))


__all__ = ["Iteration", "getitem", "multiply"]


def _only_drops(node: gast.For) -> bool:
    """Whether each round drops the key that it is about, in whatever order.

    for key in set(d) - {"a"}: d.pop(key)
    """
    if len(node.body) != 1 or not isinstance(node.target, gast.Name) or node.orelse:
        return False
    call: Any = getattr(node.body[0], "value", None)
    func: Any = getattr(call, "func", None)
    if not isinstance(node.body[0], gast.Expr) or getattr(func, "attr", "") != "pop":
        return False
    own = [getattr(arg, "id", "") for arg in call.args] == [node.target.id]
    return own and isinstance(func.value, gast.Name) and not call.keywords

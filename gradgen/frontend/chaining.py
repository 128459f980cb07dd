"""itertools over what is not known item by item, as lists: chain, accumulate, islice.

before:  for v in itertools.chain(x, y): ...
after:   items = [*x, *y]
         for v in items: ...

What a list reads at once Python reads as the loop goes on: a loop that changes it
is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.held import Held
from gradgen.frontend.iteration import Items
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.frontend.zipping import Zipping
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, subtract

# names that no text can have
SOFAR, ENTRY = "items ", "one "


class Chaining(Zipping):
    """Reads functions of itertools as lists of what they give."""

    def placeable(self, column: Items, node: gast.AST) -> Items:
        """The same with a length and what is at each place."""
        if column.known is not None:
            known = column.known
            made = self.new_list(Apply("list", known))
            length: Expr = Const(len(known))
            return Items(length=length, at=lambda i: self.item(made, i, node))
        return self.counted(column, node)

    def as_list(self, node: gast.Call) -> Items:
        """The list of what a loop over a call goes over."""
        held = gast.Call(func=node.func, args=[node], keywords=[])
        made = self.listed(gast.copy_location(held, node))
        if made is REFUSED:
            raise Refusal
        return self.items(Held(made, node))

    def _over_pairwise(self, node: gast.Call) -> Items:
        column = self.placeable(self.items(node.args[0]), node)
        self.read_first(node, rows=True)  # each item is kept for the next pair
        at, length = column.at, column.length
        assert at is not None and length is not None
        one: Callable[[Expr], Expr] = at

        def pair(i: Expr) -> Expr:
            return Apply("tuple", (one(i), one(self.bind(add(i, Const(1)), node))))

        return Items(length=self.bind(subtract(length, Const(1)), node), at=pair)

    def _over_islice(self, node: gast.Call) -> Items | None:
        """itertools.islice(y, 2): a part, a view where y is an array."""
        row = node.args[0]
        if self.is_lazy(row) or isinstance(row, gast.Call):
            self.read_first(row)
        handle = self.taken_in_part(node, lambda: self._row_of(row))
        if self.is_a_list(handle) or self.contents(handle) is not None:
            self.read_first(row)
        bounds: list[Any] = list(node.args[1:])
        if len(bounds) == 1:
            bounds = [None, *bounds]
        none = [None if getattr(b, "value", 0) is None else b for b in bounds]
        part = gast.Slice(*[*none, None, None][:3])
        made = gast.Subscript(Held(handle, node), part, gast.Load())
        return self.items(self._placed(made, node))

    def _row_of(self, node: gast.AST) -> Expr:
        """An array or a list; a list of what else is gone through."""
        if isinstance(node, gast.Call):
            held = gast.Call(func=node.func, args=[node], keywords=[])
            found = self.listed(gast.copy_location(held, node))
        else:
            found = self.gone_through(self.read_at_once(node), node)
        if found is REFUSED:
            raise Refusal
        return found

    def _over_chain(self, node: gast.Call) -> Items:
        """itertools.chain(a, b): a list that each of them extends."""
        self.read_first(node, rows=True)
        made: Expr = self.new_list(Apply("list", ()), self.wish_of_list())
        for arg in node.args:
            load, store = _name(ENTRY, gast.Load()), _name(ENTRY, gast.Store())
            inner = gast.comprehension(store, arg, [], 0)
            every = self._placed(gast.GeneratorExp(load, [inner]), node)
            made = self.filled(every, made)
        if made is REFUSED:
            raise Refusal
        return self.items(Held(made, node))

    def accumulator(self, node: gast.Call) -> Any:
        """The function of itertools.accumulate as it is written; None for a sum."""
        named = [k.value for k in node.keywords if k.arg == "func"]
        return next(iter([*node.args[1:], *named]), None)

    def _over_accumulate(self, node: gast.Call) -> Items:
        """itertools.accumulate(x, f): a list whose last item each round goes on from."""
        for one in (*node.args[1:], *(k.value for k in node.keywords)):
            self.read_later(one)
        self.read_first(node)
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        function = options.get("func", Const(None))
        if len(node.args) > 1:
            function = self.read(node.args[1])
        initial = options.get("initial", Const(None))
        return self.by_turns(
            self.accumulator(node),
            node.args[:1],
            lambda: self._row_of(node.args[0]),
            lambda row: self._accumulated_in_loop(node, row, function, initial),
        )

    def _accumulated_in_loop(
        self, node: gast.Call, row: Expr, function: Expr, initial: Expr
    ) -> Items:
        rows: Any = Held(row, node)
        items: tuple[Expr, ...] = (initial,)
        first: Any = None
        if initial == Const(None):
            first = gast.Slice(None, Held(Const(1), node), None)
            rest = gast.Slice(Held(Const(1), node), None, None)
            first = gast.Subscript(rows, first, gast.Load())
            rows, items = gast.Subscript(rows, rest, gast.Load()), ()
        last = gast.Subscript(_name(SOFAR), Held(Const(-1), node), gast.Load())
        both: Any = gast.BinOp(left=last, op=gast.Add(), right=_name(ENTRY))
        if function != Const(None):
            both = gast.Call(Held(function, node), [last, _name(ENTRY)], [])
        append = gast.Attribute(_name(SOFAR), "append", gast.Load())
        step = gast.Expr(value=gast.Call(append, [both], []))
        inner = gast.comprehension(_name(ENTRY, gast.Store()), rows, [], 0)
        every = gast.GeneratorExp(_name(ENTRY), [inner])
        start: Expr = self.new_list(Apply("list", items), self.wish_of_list())
        if first is not None:  # nothing where there is nothing
            part = gast.comprehension(_name(ENTRY, gast.Store()), first, [], 0)
            head = gast.GeneratorExp(_name(ENTRY), [part])
            start = self.filled(self._placed(head, node), start)
        looped = self._looped(
            self._placed(every, node), SOFAR, start, self._placed(step, node)
        )
        if looped is REFUSED:
            raise Refusal
        return self.items(Held(looped, node))


def _name(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    return gast.Name(name, ctx or gast.Load(), None, None)

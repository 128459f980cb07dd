"""zip, map and functools.reduce: items side by side, and a call for each.

before:  for a, b in zip(x, y): ...
after:   for i in range(len(x)):
             a, b = x[i], y[i]
             ...
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.iteration import Items
from gradgen.frontend.kindtests import KindTests
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr


class Zipping(KindTests):
    """Tells what is gone over by zip and map."""

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        if isinstance(node, gast.Call) and node.args:
            function = self.resolve(node.func)
            if function is zip:
                return self._zip_of(None, node.args, node)
            if function is map and len(node.args) > 1:
                return self._zip_of(node.args[0], node.args[1:], node)
        return super().items(node, sets)

    def _zip_of(
        self, function: gast.AST | None, rows: list[Any], node: gast.AST
    ) -> Items:
        """Rows of items, whose steps take turns with the calls of a function."""

        def gather() -> Items:
            return self._zip(self._of_one_length(rows, node), node)

        def call(parts: Items) -> Items:
            return parts if function is None else self._mapped(function, parts, node)

        return self.by_turns(function, rows, gather, call)

    def _of_one_length(self, rows: list[Any], node: gast.AST) -> list[Items]:
        """The items of each row; what the shortest cuts off must change nothing."""
        parts, changing = [], []
        for row in rows:
            before, mark = self.state.copy(), self.mark()
            parts.append(self.items(row))
            if self.gives_in_turn(row) and self.has_changed(before, mark):
                changing.append(parts[-1])
        counts = {len(part.known) for part in parts if part.known is not None}
        if len(counts) > 1 and any(len(p.known or ()) > min(counts) for p in changing):
            self.refuse_taken_in_part(node)
        return parts

    def _mapped(self, called: gast.AST, parts: Items, node: Any) -> Items:
        """map(f, xs, ys): a call for each."""
        function = self.read(called)
        if not callable(getattr(function, "value", None)):
            self.fail("GG243", "map takes a known function here", node, "a loop")

        def result(row: Expr) -> Expr:
            return self.apply(function, row.args, (), node)

        if parts.known is not None:
            rows = node.args[1:]
            self.read_later(called)
            for row in rows:
                self.read_first(row)
            with self.read_before(rows, parts.known):
                return Items(known=tuple(map(result, parts.known)))
        at = parts.at
        assert at is not None  # what is not known has something at each place
        return Items(length=parts.length, at=lambda i: result(at(i)))

    def _zip(self, parts: list[Items], node: gast.AST) -> Items:
        parts = [self.counted(part, node) for part in parts]
        if all(part.known is not None for part in parts):
            rows = zip(*(part.known for part in parts))
            return Items(known=tuple(Apply("tuple", tuple(row)) for row in rows))
        if any(part.known is not None for part in parts):
            return self._zip_with_known(parts, node)
        lengths = [part.length for part in parts if part.length is not None]
        places = [part.at for part in parts if part.at is not None]
        if not lengths:
            row = lambda i: Apply("tuple", tuple(place(i) for place in places))  # noqa
            return Items(at=row)
        length = self.current(lengths[0], node)
        others = () if getattr(node, "alike", False) else lengths[1:]
        for one in others:
            other = self.current(one, node)
            if other != length and self.facts.dim(other) != self.facts.dim(length):
                smaller = Apply("numpy.minimum", (length, other), (), "name:min")
                length = self.bind(smaller, node)

        def at(index: Expr) -> Expr:
            return Apply("tuple", tuple(place(index) for place in places))

        return Items(length=length, at=at)

    def _zip_with_known(self, parts: list[Items], node: gast.AST) -> Items:
        """zip of lists and arrays: as many rounds as the shortest list has items."""
        self.read_first(node, rows=True)  # what is unknown is read as a whole
        count = min(len(part.known) for part in parts if part.known is not None)
        for part in parts:
            if part.length is not None:
                length = self.current(part.length, node)
                if length != Const(count):
                    few = Apply("numpy.less", (length, Const(count)), (), "operator")
                    told = f"zip of a list of {count} and a shorter array"
                    self.raise_where(few, ValueError, told)
        rows: list[Expr] = []
        for i in range(count):
            row = (p.known[i] if p.known else self._place(p, i) for p in parts)
            rows.append(Apply("tuple", tuple(row)))
        return Items(known=tuple(rows))

    def _place(self, part: Items, i: int) -> Expr:
        assert part.at is not None  # what is not known has something at each place
        return part.at(Const(i))

    def call_reduce(self, node: gast.Call) -> Expr | None:
        """functools.reduce(f, items, start)."""
        return self.by_turns(
            node.args[0],
            node.args[1:2],
            lambda: self.items_if_known(node.args[1]),
            lambda found: self._reduced(node, found),
        )

    def _reduced(self, node: gast.Call, found: Items) -> Expr:
        function = self.read(node.args[0])
        given = [self.read(arg) for arg in node.args[2:]]
        if REFUSED in (function, *given):
            return REFUSED
        if found.known is None:
            return self.reduced_in_loop(function, node, given)
        items = [*given, *found.known]
        if not items:
            self.fail("GG243", "reduce of nothing has no value", node, "a start value")
        total = items[0]
        for item in items[1:]:
            total = self.apply(function, [total, item], (), node)
        return total

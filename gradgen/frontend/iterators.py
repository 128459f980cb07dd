"""Loops over itertools, filter and strings, where what they go over is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from gradgen.frontend.lookup import among
from gradgen.frontend.held import Held
from gradgen.frontend.index_loops import over_places
from gradgen.frontend.iteration import Items
from gradgen.frontend.combining import Combining
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Ref

# functions of itertools that put items together, whatever they are
TOGETHER: tuple[Callable[..., Any], ...] = (
    itertools.product,
    itertools.chain,
    itertools.combinations,
    itertools.combinations_with_replacement,
    itertools.permutations,
    itertools.pairwise,
    itertools.zip_longest,
    itertools.islice,
    itertools.repeat,
)
# more than so many items are not written out
MOST = 1000


# what takes all items before the first round
COPIES: tuple[object, ...] = (list, tuple, sorted, set, frozenset, dict)


class Iterators(Combining):
    """Tells what is gone over by functions of Python's."""

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        unknown = self.unknown_items(node)
        if unknown is not None:
            return unknown
        if isinstance(node, gast.Call):
            node = self.spread(node)
            function = self.resolve(node.func)
            self._called_first(function, node)
            if function is filter and len(node.args) == 2:
                return self.by_turns(
                    node.args[0],
                    node.args[1:],
                    lambda: self._known(node.args[1]),
                    lambda items: self._filtered(node, items),
                )
            if among(function, TOGETHER):
                return self._put_together(function, node)
            if function is itertools.chain.from_iterable and len(node.args) == 1:
                rows = self._known(node.args[0])
                parts = [self._known(Held(row, node)) for row in rows]
                return Items(known=tuple(item for part in parts for item in part))
            if function is itertools.accumulate and node.args:
                return self.by_turns(
                    self.accumulator(node),
                    node.args[:1],
                    lambda: self._known(node.args[0]),
                    lambda items: Items(known=tuple(self._accumulated(node, items))),
                )
            if function is itertools.starmap and len(node.args) == 2:
                return self.by_turns(
                    node.args[0],
                    node.args[1:],
                    lambda: self._known(node.args[1]),
                    lambda rows: self._starmapped(node, rows),
                )
            if function is iter and len(node.args) == 1:
                return self.items(node.args[0])
        handle = node.handle if isinstance(node, Held) else None
        if isinstance(handle, Const) and isinstance(handle.value, str):
            return Items(known=tuple(map(Const, handle.value)))
        if isinstance(node, (gast.Constant, gast.Name)):
            value = self.value_known(self.read(node))
            if isinstance(value, str):
                return Items(known=tuple(map(Const, value)))
        return super().items(node, sets)

    def _called_first(self, function: object, node: gast.Call) -> None:
        """Notes what a function reads that is called on all items before the loop."""
        if among(function, (filter, itertools.starmap)):
            self.read_later(node.args[0])
        elif function is itertools.accumulate:
            for one in (*node.args[1:], *(k.value for k in node.keywords)):
                self.read_later(one)
        else:
            return
        self.read_first(node)

    def items_if_known(self, node: gast.AST, sets: bool = False) -> Items:
        """What is gone over; nothing is written where it is not known item by item.

        Its caller reads it again then, in a loop.
        """
        written, state = len(self.body), self.state.copy()
        lists, generated = list(self.lists_read), list(self.generated)
        found = self.items(node, sets)
        if found.known is None:
            del self.body[written:]
            self.state = state
        else:
            reads = self.generated[len(generated) :]
            self.refuse_read_later([read for read in reads if read.at_once])
        self.lists_read, self.generated = lists, generated
        return found

    def truth_of(self, handle: Expr) -> bool | None:
        """Whether a value is true, where that is known of it or of what it is."""
        truth = self.truth(handle)
        if truth is None and isinstance(handle, Ref):
            defined = self.facts.definitions.get(handle.var)
            return None if defined is None else self.truth(defined)
        return truth

    def write_For(self, node: gast.For) -> None:
        """for i, j in itertools.product(range(n), range(m)), as two loops."""
        node = over_places(self, node)
        called = isinstance(node.iter, gast.Call) and self.resolve(node.iter.func)
        copies = among(called, COPIES)
        outer, self.live_from = self.live_from, None if copies else len(self.views)
        try:
            super().write_For(self._nested(node) or self.nested_loops(node) or node)
        finally:
            self.live_from = outer

    def _nested(self, node: gast.For) -> gast.For | None:
        """A loop over a product of ranges as loops; None for another."""
        call, target = node.iter, node.target
        if not isinstance(call, gast.Call) or not isinstance(target, gast.Tuple):
            return None
        if self.resolve(call.func) is not itertools.product or node.orelse:
            return None
        if any(isinstance(one, (gast.Break, gast.Starred)) for one in gast.walk(node)):
            return None
        held = []
        for arg in call.args:
            if not isinstance(arg, gast.Call) or self.resolve(arg.func) is not range:
                return None
            held.append(self.held_call(arg, arg.func))
        if call.keywords:
            count = self.value_known(self.read(call.keywords[0].value))
            if call.keywords[0].arg != "repeat" or type(count) is not int:
                return None
            held = held * count
        if len(held) != len(target.elts) or self._are_short(held):
            return None
        body: list[Any] = node.body
        for name, over in reversed(list(zip(target.elts, held, strict=True))):
            loop = gast.For(
                target=name, iter=over, body=body, orelse=[], type_comment=None
            )
            body = [gast.copy_location(loop, node)]
        found: gast.For = body[0]
        return found

    def _are_short(self, calls: list[gast.Call]) -> bool:
        """Whether all ranges are of few numbers, which are written out."""
        handles = [arg for call in calls for arg in self.held_arguments(call)[0]]
        return all(type(self.value_known(one)) is int for one in handles)

    def _known(self, node: gast.AST) -> tuple[Expr, ...]:
        """The items of an argument, which must be known; a short range's numbers."""
        found = self.items(node)
        known = found.known
        if known is None and found.span is not None and found.at is None:
            values = [self.value_known(part) for part in found.span]
            if all(type(value) is int for value in values):
                numbers = range(*values)
                if len(numbers) <= MOST:
                    known = tuple(map(Const, numbers))
        if known is None:
            self.fail(
                "GG243",
                "what this goes over is not known here",
                node,
                "loops over range(...), one inside the other",
            )
        if REFUSED in known:
            raise Refusal
        return known

    def _put_together(self, function: Any, node: gast.Call) -> Items:
        """What itertools puts together; some of it in turn, or not all of it."""

        def read() -> Items:
            return Items(known=tuple(self._together(function, node)))

        if function is itertools.islice:
            return self.taken_in_part(node, read)
        if function is itertools.zip_longest:
            return self.by_turns(None, node.args, read, lambda found: found)
        return read()

    def _starmapped(self, node: gast.Call, rows: tuple[Expr, ...]) -> Items:
        """itertools.starmap(f, rows): a call for each."""
        given = self.read(node.args[0])
        known = [
            self.apply(given, self._known(Held(row, node)), (), node) for row in rows
        ]
        return Items(known=tuple(known))

    def _together(
        self, function: Callable[..., Any], node: gast.Call
    ) -> Iterator[Expr]:
        """The items of itertools.product(...) and the like, over known items."""
        options = {
            str(k.arg): self.value_known(self.read(k.value)) for k in node.keywords
        }
        fill = [k.value for k in node.keywords if k.arg == "fillvalue"]
        if fill:
            options["fillvalue"] = self.read(fill[0])
        elif function is itertools.zip_longest:
            options["fillvalue"] = Const(None)
        args: list[Any] = []
        every = among(
            function, (itertools.product, itertools.chain, itertools.zip_longest)
        )
        for i, arg in enumerate(node.args):
            if function is itertools.repeat and i == 0:
                args.append(self.read(arg))
            elif every or i == 0:
                args.append(self._known(arg))
            else:
                args.append(self.value_known(self.read(arg)))
        if NO_VALUE in args or NO_VALUE in options.values():
            self.fail("GG243", "this count is not known here", node, "a number")
        if function is itertools.repeat and len(args) == 1:
            self.fail("GG243", "this has no end", node, "itertools.repeat(x, 3)")
        found = list(itertools.islice(function(*args, **options), MOST + 1))
        if len(found) > MOST:
            self.fail("GG242", "this is too long to write out", node, "loops")
        for item in found:
            yield Apply("tuple", item) if isinstance(item, tuple) else item

    def _filtered(self, node: gast.Call, items: tuple[Expr, ...]) -> Items:
        """filter(f, items), where f is known of each."""
        function, kept = self.read(node.args[0]), []
        for item in items:
            tested = item
            if function != Const(None):
                tested = self.apply(function, [item], (), node)
            truth = self.truth_of(self.current(tested, node))
            value = self.value_known(tested)
            if truth is None and value is not NO_VALUE:
                truth = bool(value)
            if truth is None:
                self.fail(
                    "GG243",
                    "which items filter keeps is not known here",
                    node,
                    "a mask: x[x > 0]",
                )
            kept += [item] if truth else []
        return Items(known=tuple(kept))

    def _accumulated(self, node: gast.Call, known: tuple[Expr, ...]) -> Iterator[Expr]:
        """itertools.accumulate(items, f, initial=start)."""
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        function = options.get("func")
        if len(node.args) > 1:
            function = self.read(node.args[1])
        items = list(known)
        if options.get("initial", Const(None)) != Const(None):
            items.insert(0, options["initial"])
        total: Expr | None = None
        for item in items:
            if total is None:
                total = item
            elif function is None or function == Const(None):
                left, right = Held(total, node), Held(item, node)
                added = gast.BinOp(left=left, op=gast.Add(), right=right)
                total = self.read(gast.copy_location(added, node))
            else:
                total = self.apply(function, [total, item], (), node)
            yield total

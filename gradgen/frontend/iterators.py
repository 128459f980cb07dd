"""Loops over itertools, filter and strings, where what they go over is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from gradgen.frontend.held import Held
from gradgen.frontend.iteration import Items
from gradgen.frontend.kindtests import KindTests
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr

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


class Iterators(KindTests):
    """Tells what is gone over by functions of Python's."""

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        if isinstance(node, gast.Call):
            node = self.spread(node)
            function = self.resolve(node.func)
            if function is filter and len(node.args) == 2:
                return self._filtered(node)
            if any(function is one for one in TOGETHER):
                return Items(known=tuple(self._together(function, node)))
            if function is itertools.chain.from_iterable and len(node.args) == 1:
                rows = self._known(node.args[0])
                parts = [self._known(Held(row, node)) for row in rows]
                return Items(known=tuple(item for part in parts for item in part))
            if function is itertools.accumulate and node.args:
                return Items(known=tuple(self._accumulated(node)))
            if function is itertools.starmap and len(node.args) == 2:
                given = self.read(node.args[0])
                known = [
                    self.apply(given, self._known(Held(row, node)), (), node)
                    for row in self._known(node.args[1])
                ]
                return Items(known=tuple(known))
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
        every = function in (itertools.product, itertools.chain, itertools.zip_longest)
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

    def _filtered(self, node: gast.Call) -> Items:
        """filter(f, items), where f is known of each."""
        function, kept = self.read(node.args[0]), []
        for item in self._known(node.args[1]):
            tested = item
            if function != Const(None):
                tested = self.apply(function, [item], (), node)
            truth = self.truth(self.current(tested, node))
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

    def _accumulated(self, node: gast.Call) -> Iterator[Expr]:
        """itertools.accumulate(items, f, initial=start)."""
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        function = options.get("func")
        if len(node.args) > 1:
            function = self.read(node.args[1])
        items = list(self._known(node.args[0]))
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

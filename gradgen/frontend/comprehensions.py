"""Comprehensions and sums of generators: the loops that they stand for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar

import gast

from gradgen.frontend.held import Held, each
from gradgen.frontend.iteration import Iteration
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.statics import set_of
from gradgen.frontend.writer import REFUSED, Frame
from gradgen.ir.nodes import Apply, Const, Expr

Node = TypeVar("Node", bound=gast.AST)
# Names that no text can have: an expression inside never reads them.
ITEMS, TOTAL, ENTRY = "items ", "total ", "one "


class Comprehensions(Iteration):
    """Reads comprehensions."""

    def read_ListComp(self, node: gast.ListComp | gast.GeneratorExp) -> Expr:
        start = self.new_list(Apply("list", ()), self._wish("items"))
        return self.filled(node, start)

    def filled(self, node: gast.ListComp | gast.GeneratorExp, start: Expr) -> Expr:
        """The list with what is computed appended: x.extend(... for ...)."""
        item = self._placed(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(
                        value=_name(ITEMS), attr="append", ctx=gast.Load()
                    ),
                    args=[node.elt],
                    keywords=[],
                )
            ),
            node,
        )
        return self._looped(node, ITEMS, start, item)

    def listed(self, node: gast.Call) -> Expr:
        """list(x), which is [one for one in x]."""
        return self.read_ListComp(each(gast.ListComp, node.args[0], node))

    def summed(self, node: gast.GeneratorExp, start: Expr) -> Expr:
        """sum(... for ...)."""
        item = self._placed(
            gast.Assign(
                targets=[_name(TOTAL, gast.Store())],
                value=gast.BinOp(left=_name(TOTAL), op=gast.Add(), right=node.elt),
                type_comment=None,
            ),
            node,
        )
        return self._looped(node, TOTAL, start, item)

    def decided_in_loop(self, node: gast.GeneratorExp, stop: bool) -> Expr:
        """any(... for ...), all(... for ...): whether an item was met that decides."""
        test: gast.expr = node.elt
        if not stop:
            test = gast.UnaryOp(op=gast.Not(), operand=test)
        found = gast.Assign(
            targets=[_name(TOTAL, gast.Store())],
            value=Held(Const(stop), node),
            type_comment=None,
        )
        item = gast.If(test=test, body=[found], orelse=[])
        return self._looped(node, TOTAL, Const(not stop), self._placed(item, node))

    def reduced_in_loop(
        self, function: Expr, node: gast.Call, start: list[Expr]
    ) -> Expr:
        """reduce(f, x, start) of what is not known item by item."""
        over = Held(self.read_at_once(node.args[1]), node)
        if over.handle is REFUSED:
            return REFUSED
        first: Any = over
        if not start:
            start = [self.item(over.handle, Const(0), node)]
            rest = gast.Slice(lower=Held(Const(1), node), upper=None, step=None)
            first = gast.Subscript(value=over, slice=rest, ctx=gast.Load())
        called = gast.Call(
            func=Held(function, node), args=[_name(TOTAL), _name(ENTRY)], keywords=[]
        )
        item = gast.Assign(
            targets=[_name(TOTAL, gast.Store())], value=called, type_comment=None
        )
        inner = gast.comprehension(
            target=_name(ENTRY, gast.Store()), iter=first, ifs=[], is_async=0
        )
        generator = gast.GeneratorExp(elt=_name(ENTRY), generators=[inner])
        self._placed(generator, node)
        return self._looped(generator, TOTAL, start[0], self._placed(item, node))

    def read_DictComp(self, node: gast.DictComp) -> Expr:
        """{k: v for ...}: a dictionary that is stored into."""
        place = gast.Subscript(value=_name(ITEMS), slice=node.key, ctx=gast.Store())
        item = gast.Assign(targets=[place], value=node.value, type_comment=None)
        start = self.new_dict({})
        return self._looped(node, ITEMS, start, self._placed(item, node))

    def read_SetComp(self, node: gast.SetComp) -> Expr:
        """{x for ...} of constants."""
        made = gast.ListComp(elt=node.elt, generators=node.generators)
        known = self.contents(self.read_ListComp(gast.copy_location(made, node)))
        if known is None or not all(isinstance(one, Const) for one in known.args):
            self.fail("GG201", "sets of values are not supported", node, "a list")
        return set_of(list(known.args))

    def summed_list(self, items: Expr | gast.expr, start: Expr, node: gast.AST) -> Expr:
        """sum(items), of a list whose length is not known, an array, or map(...)."""
        inner = gast.comprehension(
            target=_name(ENTRY, gast.Store()),
            iter=items if isinstance(items, gast.AST) else _name(ITEMS),
            ifs=[],
            is_async=0,
        )
        generator = gast.GeneratorExp(elt=_name(ENTRY), generators=[inner])
        self._placed(generator, node)
        outer = self.frame
        self.calls_made += 1
        self.frame = Frame(
            self.calls_made,
            outer.source,
            frozenset({ITEMS}),
            outer,
            node=node,
            name=outer.name,
            note=outer.note or self.note,
        )
        known = Const(0) if isinstance(items, gast.AST) else items
        self.state.names[self.frame.number, ITEMS] = known
        try:
            return self.summed(generator, start)
        finally:
            self.state.names.pop((self.frame.number, ITEMS), None)
            self.frame = outer

    def _wish(self, name: str) -> str:
        target = self.note.lines[0].target if self.note.lines else ""
        return target if target.isidentifier() else name

    def _looped(
        self,
        node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
        name: str,
        start: Expr,
        statement: gast.stmt,
    ) -> Expr:
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                statement = gast.If(test=test, body=[statement], orelse=[])
                self._placed(statement, test)
            statement = gast.For(
                target=generator.target,
                iter=generator.iter,
                body=[statement],
                orelse=[],
                type_comment=None,
            )
            self._placed(statement, node)
        targets = {
            inner.id
            for generator in node.generators
            for inner in gast.walk(generator.target)
            if isinstance(inner, gast.Name)
        }
        first = {getattr(one, "id", "") for one in gast.walk(node.generators[0].iter)}
        if not targets.isdisjoint(first):  # [x * x for x in x]
            statement = _renamed(statement, targets)
            targets = {f"{one} " for one in targets}
        outer, note = self.frame, self.note
        self.calls_made += 1
        frame = Frame(
            self.calls_made,
            outer.source,
            frozenset({name, *targets}),
            outer,
            node=node,
            name=outer.name,
            note=note,
        )
        self.state.names[frame.number, name] = start
        problems = len(self.problems)
        self.frame = frame
        try:
            self.block([statement])
        finally:
            self.frame, self.note = outer, note
        result = self.state.names.get((frame.number, name), REFUSED)
        for key in [key for key in self.state.names if key[0] == frame.number]:
            del self.state.names[key]
        return REFUSED if len(self.problems) > problems else result

    def _placed(self, node: Node, like: gast.AST) -> Node:
        """The node and what is inside it, at the place of another one."""
        for inner in gast.walk(node):
            if not hasattr(inner, "lineno"):
                gast.copy_location(inner, like)
        return node

    def is_builtin(self, node: gast.AST, function: Callable[..., Any]) -> bool:
        """Whether an expression calls a builtin function."""
        return (
            isinstance(node, gast.Call)
            and self.resolve(node.func) is not NO_VALUE
            and self.resolve(node.func) is function
        )


def _name(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    return gast.Name(
        id=name, ctx=ctx or gast.Load(), annotation=None, type_comment=None
    )


__all__ = ["Comprehensions", "Const"]


def _renamed(loop: Any, targets: set[str]) -> Any:
    """The loop with names that no text can have for those that it binds.

    What it goes over is read outside, where these names mean something else.
    """
    made = copy.copy(loop)
    made.target, made.body = copy.deepcopy((loop.target, loop.body))
    for part in (made.target, *made.body):
        for one in gast.walk(part):
            if isinstance(one, gast.Name) and one.id in targets:
                one.id += " "
    return made

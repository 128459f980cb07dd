"""Comprehensions and sums of generators: the loops that they stand for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar

import gast

from gradgen.frontend.control.at_once import is_summed
from gradgen.frontend.control.branches import block
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.held import Held, each
from gradgen.frontend.heap.contents import wish_of_list
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr

Node = TypeVar("Node", bound=gast.AST)
# Names that no text can have: an expression inside never reads them.
ITEMS, TOTAL, ENTRY = "items ", "total ", "one "


def filled(
    lowering: Lowering, node: gast.ListComp | gast.GeneratorExp, start: Expr
) -> Expr:
    """The list with what is computed appended: x.extend(... for ...)."""
    item = placed(
        lowering,
        gast.Expr(
            value=gast.Call(
                func=gast.Attribute(
                    value=name_node(ITEMS), attr="append", ctx=gast.Load()
                ),
                args=[node.elt],
                keywords=[],
            )
        ),
        node,
    )
    return loop_of_items(lowering, node, ITEMS, start, item)


def filled_list(lowering: Lowering, node: gast.ListComp | gast.GeneratorExp) -> Expr:
    """The list of what is computed, of a generator that is gone through as well."""
    start = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    return filled(lowering, node, start)


def keyed(lowering: Lowering, node: gast.DictComp, start: Expr) -> Expr:
    """The dictionary with what is computed stored into it: items.update(... for ...)."""
    if any(isinstance(one, gast.NamedExpr) for one in gast.walk(node.key)):
        told = "a key of a comprehension may not name a value: it comes before its item"
        lowering.fail("GG244", told, node.key, "a loop")
    place = gast.Subscript(value=name_node(ITEMS), slice=node.key, ctx=gast.Store())
    item = gast.Assign(targets=[place], value=node.value, type_comment=None)
    return loop_of_items(lowering, node, ITEMS, start, placed(lowering, item, node))


def listed_items(lowering: Lowering, node: gast.Call) -> Expr:
    """list(x), which is [one for one in x]."""
    return filled_list(lowering, each(gast.ListComp, node.args[0], node))


def summed(lowering: Lowering, node: gast.GeneratorExp, start: Expr) -> Expr:
    """sum(... for ...)."""
    item = placed(
        lowering,
        gast.Assign(
            targets=[name_node(TOTAL, gast.Store())],
            value=gast.BinOp(left=name_node(TOTAL), op=gast.Add(), right=node.elt),
            type_comment=None,
        ),
        node,
    )
    return loop_of_items(lowering, node, TOTAL, start, item)


def decided_in_loop(lowering: Lowering, node: gast.GeneratorExp, stop: bool) -> Expr:
    """any(... for ...), all(... for ...): whether an item was met that decides."""
    test: gast.expr = node.elt
    if not stop:
        test = gast.UnaryOp(op=gast.Not(), operand=test)
    found = gast.Assign(
        targets=[name_node(TOTAL, gast.Store())],
        value=Held(Const(stop), node),
        type_comment=None,
    )
    item = gast.If(test=test, body=[found], orelse=[])
    return loop_of_items(
        lowering, node, TOTAL, Const(not stop), placed(lowering, item, node)
    )


def reduced_in_loop(
    lowering: Lowering, function: Expr, items: Expr, node: gast.Call, start: list[Expr]
) -> Expr:
    """reduce(f, x, start) of what is not known item by item."""
    over = Held(items, node)
    first: Any = over
    if not start:
        start = [lowering.item(over.handle, Const(0), node)]
        rest = gast.Slice(lower=Held(Const(1), node), upper=None, step=None)
        first = gast.Subscript(value=over, slice=rest, ctx=gast.Load())
    called = gast.Call(
        func=Held(function, node),
        args=[name_node(TOTAL), name_node(ENTRY)],
        keywords=[],
    )
    item = gast.Assign(
        targets=[name_node(TOTAL, gast.Store())], value=called, type_comment=None
    )
    inner = gast.comprehension(
        target=name_node(ENTRY, gast.Store()), iter=first, ifs=[], is_async=0
    )
    generator = gast.GeneratorExp(elt=name_node(ENTRY), generators=[inner])
    placed(lowering, generator, node)
    return loop_of_items(
        lowering, generator, TOTAL, start[0], placed(lowering, item, node)
    )


def summed_list(
    lowering: Lowering, items: Expr | gast.expr, start: Expr, node: gast.AST
) -> Expr:
    """sum(items), of a list whose length is not known, an array, or map(...).

    Of an array whose axes are known it is np.sum, along the first one.
    """
    facts = lowering.facts
    if isinstance(items, Expr) and start == Const(0) and is_summed(facts, items):
        axis = () if facts.rank(items) == 1 else (("axis", Const(0)),)
        return lowering.bind(Apply("numpy.sum", (items,), axis), node)
    inner = gast.comprehension(
        target=name_node(ENTRY, gast.Store()),
        iter=items if isinstance(items, gast.AST) else name_node(ITEMS),
        ifs=[],
        is_async=0,
    )
    generator = gast.GeneratorExp(elt=name_node(ENTRY), generators=[inner])
    placed(lowering, generator, node)
    outer = lowering.frame
    lowering.calls_made += 1
    lowering.frame = Frame(
        lowering.calls_made,
        outer.source,
        frozenset({ITEMS}),
        outer,
        node=node,
        name=outer.name,
        note=outer.note or lowering.note,
    )
    known = Const(0) if isinstance(items, gast.AST) else items
    lowering.state.names[lowering.frame.number, ITEMS] = known
    try:
        return summed(lowering, generator, start)
    finally:
        lowering.state.names.pop((lowering.frame.number, ITEMS), None)
        lowering.frame = outer


def loop_of_items(
    lowering: Lowering,
    node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
    name: str,
    start: Expr,
    statement: gast.stmt,
) -> Expr:
    for generator in reversed(node.generators):
        for test in reversed(generator.ifs):
            statement = gast.If(test=test, body=[statement], orelse=[])
            placed(lowering, statement, test)
        statement = gast.For(
            target=generator.target,
            iter=generator.iter,
            body=[statement],
            orelse=[],
            type_comment=None,
        )
        placed(lowering, statement, node)
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
    outer, note = lowering.frame, lowering.note
    lowering.calls_made += 1
    frame = Frame(
        lowering.calls_made,
        outer.source,
        frozenset({name, *targets}),
        outer,
        node=node,
        name=outer.name,
        note=note,
    )
    lowering.state.names[frame.number, name] = start
    problems = len(lowering.problems)
    lowering.frame = frame
    try:
        block(lowering, [statement])
    finally:
        lowering.frame, lowering.note = outer, note
    result = lowering.state.names.get((frame.number, name), REFUSED)
    for key in [key for key in lowering.state.names if key[0] == frame.number]:
        del lowering.state.names[key]
    return REFUSED if len(lowering.problems) > problems else result


def placed(lowering: Lowering, node: Node, like: gast.AST) -> Node:
    """The node and what is inside it, at the place of another one."""
    for inner in gast.walk(node):
        if not hasattr(inner, "lineno"):
            gast.copy_location(inner, like)
    return node


def is_builtin(
    lowering: Lowering, node: gast.AST, function: Callable[..., Any]
) -> bool:
    """Whether an expression calls a builtin function."""
    return (
        isinstance(node, gast.Call)
        and lowering.resolve(node.func) is not NO_VALUE
        and lowering.resolve(node.func) is function
    )


def name_node(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    return gast.Name(
        id=name, ctx=ctx or gast.Load(), annotation=None, type_comment=None
    )


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


def by_key(node: Any) -> Any:
    """What a dictionary is made of, as one where it is written as pairs.

    before:  dict((k, v) for k, v in found)        items.update((k, 0.0) for k in keys)
    after:   {k: v for k, v in found}              {k: 0.0 for k in keys}
    """
    pair = node.elt if isinstance(node, (gast.GeneratorExp, gast.ListComp)) else None
    if not isinstance(pair, gast.Tuple) or len(pair.elts) != 2:
        return node
    key, value = pair.elts
    made = gast.DictComp(key=key, value=value, generators=node.generators)
    return gast.copy_location(made, node)

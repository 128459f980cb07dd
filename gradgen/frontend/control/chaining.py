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

from gradgen.frontend.control.comprehensions import filled, listed_items, loop_of_items
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.control.counts import counted
from gradgen.frontend.control.generators import by_turns, read_first, read_later
from gradgen.frontend.control.generators import taken_in_part
from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lists import is_a_list, new_list
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, subtract

# names that no text can have
SOFAR, ENTRY, ROW = "items ", "one ", "row "


def placeable(lowering: Lowering, column: Items, node: gast.AST) -> Items:
    """The same with a length and what is at each place."""
    if column.known is not None:
        known = column.known
        made = new_list(lowering, Apply("list", known))
        length: Expr = Const(len(known))
        return Items(length=length, at=lambda i: lowering.item(made, i, node))
    return counted(lowering, column, node)


def as_list(lowering: Lowering, node: gast.Call) -> Items:
    """The list of what a loop over a call goes over."""
    held = gast.Call(func=node.func, args=[node], keywords=[])
    made = listed_items(lowering, gast.copy_location(held, node))
    if made is REFUSED:
        raise Refusal
    return lowering.items(Held(made, node))


def over_pairwise(lowering: Lowering, node: gast.Call) -> Items:
    column = placeable(lowering, lowering.items(node.args[0]), node)
    read_first(lowering, node, rows=True)  # each item is kept for the next pair
    at, length = column.at, column.length
    assert at is not None and length is not None
    one: Callable[[Expr], Expr] = at

    def pair(i: Expr) -> Expr:
        return Apply("tuple", (one(i), one(lowering.bind(add(i, Const(1)), node))))

    return Items(length=lowering.bind(subtract(length, Const(1)), node), at=pair)


def over_islice(lowering: Lowering, node: gast.Call) -> Items | None:
    """itertools.islice(y, 2): a part, a view where y is an array."""
    row = node.args[0]
    if lowering.is_lazy(row) or isinstance(row, gast.Call):
        read_first(lowering, row)
    handle = taken_in_part(lowering, node, lambda: _row_of(lowering, row))
    if is_a_list(lowering, handle) or contents(lowering, handle) is not None:
        read_first(lowering, row)
    bounds: list[Any] = list(node.args[1:])
    if len(bounds) == 1:
        bounds = [None, *bounds]
    none = [None if getattr(b, "value", 0) is None else b for b in bounds]
    part = gast.Slice(*[*none, None, None][:3])
    made = gast.Subscript(Held(handle, node), part, gast.Load())
    return lowering.items(placed(lowering, made, node))


def _row_of(lowering: Lowering, node: gast.AST) -> Expr:
    """An array or a list; a list of what else is gone through."""
    if isinstance(node, gast.Call):
        held = gast.Call(func=node.func, args=[node], keywords=[])
        found = listed_items(lowering, gast.copy_location(held, node))
    else:
        found = lowering.gone_through(lowering.read_at_once(node), node)
    if found is REFUSED:
        raise Refusal
    return found


def over_chain(lowering: Lowering, node: gast.Call) -> Items:
    """itertools.chain(a, b): a list that each of them extends."""
    read_first(lowering, node, rows=True)
    made: Expr = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    for arg in node.args:
        load, store = _name(ENTRY, gast.Load()), _name(ENTRY, gast.Store())
        inner = gast.comprehension(store, arg, [], 0)
        every = placed(lowering, gast.GeneratorExp(load, [inner]), node)
        made = filled(lowering, every, made)
    if made is REFUSED:
        raise Refusal
    return lowering.items(Held(made, node))


def over_from_iterable(lowering: Lowering, node: gast.Call) -> Items:
    """itertools.chain.from_iterable(rows): a list that each row extends.

    The entries of each row are read as the loop comes to them, those of [y, y] as well.
    """
    read_first(lowering, node)
    rows = None
    if not isinstance(node.args[0], gast.GeneratorExp):
        rows = lowering.items(node.args[0]).known
    if rows is not None:
        parts = [Held(row, node) for row in rows]
        known = [lowering.items(part).known for part in parts]
        if None not in known:
            return Items(known=tuple(one for items in known for one in items or ()))
        call = gast.Call(node.func, parts, [])
        return over_chain(lowering, gast.copy_location(call, node))
    made: Expr = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    row = gast.comprehension(_name(ROW, gast.Store()), node.args[0], [], 0)
    entry = gast.comprehension(_name(ENTRY, gast.Store()), _name(ROW), [], 0)
    every = placed(lowering, gast.GeneratorExp(_name(ENTRY), [row, entry]), node)
    made = filled(lowering, every, made)
    if made is REFUSED:
        raise Refusal
    return lowering.items(Held(made, node))


def accumulator(lowering: Lowering, node: gast.Call) -> Any:
    """The function of itertools.accumulate as it is written; None for a sum."""
    named = [k.value for k in node.keywords if k.arg == "func"]
    return next(iter([*node.args[1:], *named]), None)


def over_accumulate(lowering: Lowering, node: gast.Call) -> Items:
    """itertools.accumulate(x, f): a list whose last item each round goes on from."""
    for one in (*node.args[1:], *(k.value for k in node.keywords)):
        read_later(lowering, one)
    read_first(lowering, node)
    options = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    function = options.get("func", Const(None))
    if len(node.args) > 1:
        function = lowering.read(node.args[1])
    initial = options.get("initial", Const(None))
    return by_turns(
        lowering,
        accumulator(lowering, node),
        node.args[:1],
        lambda: _row_of(lowering, node.args[0]),
        lambda row: _accumulated_in_loop(lowering, node, row, function, initial),
    )


def _accumulated_in_loop(
    lowering: Lowering, node: gast.Call, row: Expr, function: Expr, initial: Expr
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
    start: Expr = new_list(lowering, Apply("list", items), wish_of_list(lowering))
    if first is not None:  # nothing where there is nothing
        part = gast.comprehension(_name(ENTRY, gast.Store()), first, [], 0)
        head = gast.GeneratorExp(_name(ENTRY), [part])
        start = filled(lowering, placed(lowering, head, node), start)
    looped = loop_of_items(
        lowering,
        placed(lowering, every, node),
        SOFAR,
        start,
        placed(lowering, step, node),
    )
    if looped is REFUSED:
        raise Refusal
    return lowering.items(Held(looped, node))


def _name(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    return gast.Name(name, ctx or gast.Load(), None, None)

"""Loops over itertools, filter and strings, where what they go over is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from gradgen.frontend.calls.axes import over_axes
from gradgen.frontend.calls.arguments import apply, spread
from gradgen.frontend.calls.evaluation import held_arguments, held_call
from gradgen.frontend.calls.index_loops import over_places
from gradgen.frontend.control.chaining import accumulator
from gradgen.frontend.control.combining import Gathered, nested_loops, unknown_items
from gradgen.frontend.control.generators import by_turns, read_first, read_later
from gradgen.frontend.control.generators import taken_in_part
from gradgen.frontend.control.zipping import truth_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.pending import Items
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
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


# what takes all items before the first round
COPIES: tuple[object, ...] = (list, tuple, sorted, set, frozenset, dict)


@handles(Gathered)
def gathered(lowering: Lowering, node: Gathered) -> Expr:
    return Apply("tuple", node.parts())


@answers(Lowering.items)
def items(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    unknown = unknown_items(lowering, node)
    if unknown is not None:
        return unknown
    if isinstance(node, gast.Call):
        node = spread(lowering, node)
        function = lowering.resolve(node.func)
        _called_first(lowering, function, node)
        if function is filter and len(node.args) == 2:
            return by_turns(
                lowering,
                node.args[0],
                node.args[1:],
                lambda: _known(lowering, node.args[1]),
                lambda rows: _filtered(lowering, node, rows),
            )
        if among(function, TOGETHER):
            return _put_together(lowering, function, node)
        if function is itertools.accumulate and node.args:
            return by_turns(
                lowering,
                accumulator(lowering, node),
                node.args[:1],
                lambda: _known(lowering, node.args[0]),
                lambda rows: Items(known=tuple(_accumulated(lowering, node, rows))),
            )
        if function is itertools.starmap and len(node.args) == 2:
            return by_turns(
                lowering,
                node.args[0],
                node.args[1:],
                lambda: _known(lowering, node.args[1]),
                lambda rows: _starmapped(lowering, node, rows),
            )
        if function is iter and len(node.args) == 1:
            return lowering.items(node.args[0])
    handle = node.handle if isinstance(node, Held) else None
    if isinstance(handle, Const) and isinstance(handle.value, str):
        return Items(known=tuple(map(Const, handle.value)))
    if isinstance(node, (gast.Constant, gast.Name)):
        value = value_known(lowering, lowering.read(node))
        if isinstance(value, str):
            return Items(known=tuple(map(Const, value)))
    return items.further(lowering, node, sets)


def _called_first(lowering: Lowering, function: object, node: gast.Call) -> None:
    """Notes what a function reads that is called on all items before the loop."""
    if among(function, (filter, itertools.starmap)):
        read_later(lowering, node.args[0])
    elif function is itertools.accumulate:
        for one in (*node.args[1:], *(k.value for k in node.keywords)):
            read_later(lowering, one)
    else:
        return
    read_first(lowering, node)


@handles(gast.For)
def for_loop(lowering: Lowering, node: gast.For) -> None:
    """for i, j in itertools.product(range(n), range(m)), as two loops."""
    node = over_axes(lowering, over_places(lowering, node))
    called = isinstance(node.iter, gast.Call) and lowering.resolve(node.iter.func)
    copies = among(called, COPIES)
    outer, lowering.live_from = (
        lowering.live_from,
        None if copies else len(lowering.views),
    )
    try:
        for_loop.further(
            lowering, _nested(lowering, node) or nested_loops(lowering, node) or node
        )
    finally:
        lowering.live_from = outer


def _nested(lowering: Lowering, node: gast.For) -> gast.For | None:
    """A loop over a product of ranges as loops; None for another."""
    call, target = node.iter, node.target
    if not isinstance(call, gast.Call) or not isinstance(target, gast.Tuple):
        return None
    if lowering.resolve(call.func) is not itertools.product or node.orelse:
        return None
    if any(isinstance(one, (gast.Break, gast.Starred)) for one in gast.walk(node)):
        return None
    held = []
    for arg in call.args:
        if not isinstance(arg, gast.Call) or lowering.resolve(arg.func) is not range:
            return None
        held.append(held_call(lowering, arg, arg.func))
    if call.keywords:
        count = value_known(lowering, lowering.read(call.keywords[0].value))
        if call.keywords[0].arg != "repeat" or type(count) is not int:
            return None
        held = held * count
    if len(held) != len(target.elts) or _are_short(lowering, held):
        return None
    body: list[Any] = node.body
    for name, over in reversed(list(zip(target.elts, held, strict=True))):
        loop = gast.For(target=name, iter=over, body=body, orelse=[], type_comment=None)
        body = [gast.copy_location(loop, node)]
    found: gast.For = body[0]
    return found


def _are_short(lowering: Lowering, calls: list[gast.Call]) -> bool:
    """Whether all ranges are of few numbers, which are written out."""
    handles = [arg for call in calls for arg in held_arguments(lowering, call)[0]]
    return all(type(value_known(lowering, one)) is int for one in handles)


def _known(lowering: Lowering, node: gast.AST) -> tuple[Expr, ...]:
    """The items of an argument, which must be known; a short range's numbers."""
    found = lowering.items(node)
    known = found.known
    if known is None and found.span is not None and found.at is None:
        values = [value_known(lowering, part) for part in found.span]
        if all(type(value) is int for value in values):
            numbers = range(*values)
            if len(numbers) <= MOST:
                known = tuple(map(Const, numbers))
    if known is None:
        lowering.fail(
            "GG243",
            "what this goes over is not known here",
            node,
            "loops over range(...), one inside the other",
        )
    if REFUSED in known:
        raise Refusal
    return known


def _put_together(lowering: Lowering, function: Any, node: gast.Call) -> Items:
    """What itertools puts together; some of it in turn, or not all of it."""

    def read() -> Items:
        return Items(known=tuple(_together(lowering, function, node)))

    if function is itertools.islice:
        return taken_in_part(lowering, node, read)
    if function is itertools.zip_longest:
        return by_turns(lowering, None, node.args, read, lambda found: found)
    return read()


def _starmapped(lowering: Lowering, node: gast.Call, rows: tuple[Expr, ...]) -> Items:
    """itertools.starmap(f, rows): a call for each."""
    given = lowering.read(node.args[0])
    known = [
        apply(lowering, given, _known(lowering, Held(row, node)), (), node)
        for row in rows
    ]
    return Items(known=tuple(known))


def _together(
    lowering: Lowering, function: Callable[..., Any], node: gast.Call
) -> Iterator[Expr]:
    """The items of itertools.product(...) and the like, over known items."""
    options = {
        str(k.arg): value_known(lowering, lowering.read(k.value)) for k in node.keywords
    }
    fill = [k.value for k in node.keywords if k.arg == "fillvalue"]
    if fill:
        options["fillvalue"] = lowering.read(fill[0])
    elif function is itertools.zip_longest:
        options["fillvalue"] = Const(None)
    args: list[Any] = []
    every = among(function, (itertools.product, itertools.chain, itertools.zip_longest))
    for i, arg in enumerate(node.args):
        if function is itertools.repeat and i == 0:
            args.append(lowering.read(arg))
        elif every or i == 0:
            args.append(_known(lowering, arg))
        else:
            args.append(value_known(lowering, lowering.read(arg)))
    if NO_VALUE in args or NO_VALUE in options.values():
        lowering.fail("GG243", "this count is not known here", node, "a number")
    if function is itertools.repeat and len(args) == 1:
        lowering.fail("GG243", "this has no end", node, "itertools.repeat(x, 3)")
    found = list(itertools.islice(function(*args, **options), MOST + 1))
    if len(found) > MOST:
        lowering.fail("GG242", "this is too long to write out", node, "loops")
    for item in found:
        yield Apply("tuple", item) if isinstance(item, tuple) else item


def _filtered(lowering: Lowering, node: gast.Call, items: tuple[Expr, ...]) -> Items:
    """filter(f, items), where f is known of each."""
    function, kept = lowering.read(node.args[0]), []
    for item in items:
        tested = item
        if function != Const(None):
            tested = apply(lowering, function, [item], (), node)
        truth = truth_of(lowering, lowering.current(tested, node))
        value = value_known(lowering, tested)
        if truth is None and value is not NO_VALUE:
            truth = bool(value)
        if truth is None:
            lowering.fail(
                "GG243",
                "which items filter keeps is not known here",
                node,
                "a mask: x[x > 0]",
            )
        kept += [item] if truth else []
    return Items(known=tuple(kept))


def _accumulated(
    lowering: Lowering, node: gast.Call, known: tuple[Expr, ...]
) -> Iterator[Expr]:
    """itertools.accumulate(items, f, initial=start)."""
    options = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    function = options.get("func")
    if len(node.args) > 1:
        function = lowering.read(node.args[1])
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
            total = lowering.read(gast.copy_location(added, node))
        else:
            total = apply(lowering, function, [total, item], (), node)
        yield total

"""What a for loop goes over: a range, the rows of an array, several at once."""

from __future__ import annotations

from itertools import chain
from typing import Any

import gast

from gradgen.frontend.calls.instances import needs_rounds
from gradgen.frontend.calls.protocols import unless_reversed
from gradgen.frontend.control.branches import block, flag, set_flag
from gradgen.frontend.control.counts import ROUNDS, assigned_to, counted
from gradgen.frontend.control.generators import read_first, read_later
from gradgen.frontend.control.generators import refuse_read_later
from gradgen.frontend.control.loops import enter_loop, leave_loop, loop, unless_jumped
from gradgen.frontend.control.ranges import backwards, cut, is_count
from gradgen.frontend.heap.arguments_changed import note_length
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import lengths, value_known
from gradgen.frontend.heap.lists import is_list_object
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.heap.tables import (
    computed_table,
    entry_of_table,
    is_computed_table,
    is_table,
)
from gradgen.frontend.heap.views import live_item
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.jumps import BROKE, FALSE, GONE, STOP, TRUE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.pending import GoneOver, Items, Places, Span
from gradgen.frontend.lowering.statics import SetOf
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Apply, Const, Expr, Note, Origin, Ref
from gradgen.ir.operators import add, subtract

# and one over so many numbers, where it cannot be a loop
SHORT = 16


@handles(gast.For)
def for_loop(lowering: Lowering, node: gast.For) -> None:
    target = lowering.source.one_line(node.target)
    text = f"for {target} in {lowering.source.one_line(node.iter)}"
    lowering.start(node, target, text, node.iter)
    note = lowering.note
    mark, first = len(lowering.lists_read), len(lowering.generated)
    items = lowering.items(node.iter, sets=_only_drops(node))
    reads, lowering.generated = lowering.generated[first:], lowering.generated[:first]
    lists, lowering.lists_read = lowering.lists_read[mark:], lowering.lists_read[:mark]
    going = list(map(GoneOver, lists))
    lowering.gone_over += going
    try:
        _for(lowering, node, items, going, note)
    finally:
        del lowering.gone_over[len(lowering.gone_over) - len(lists) :]
    refuse_read_later(lowering, reads)


def _for(
    lowering: Lowering, node: gast.For, items: Items, going: list[GoneOver], note: Note
) -> None:
    """The loop over what has been read."""
    if items.known is not None:
        if len(items.known) > ROUNDS:
            is_name = isinstance(node.iter, gast.Name)
            lowering.fail(
                "GG242",
                f"a loop over {len(items.known)} items is too long to write out",
                node.iter,
                f"np.array({node.iter.id})" if is_name else "an array of them",
            )
        written_out(lowering, node, items, going, note)
        return
    span = _span(lowering, items)
    short = lowering.root.source.unrolled or needs_rounds(lowering, node)
    if short and items.at is None and _is_short(lowering, span):
        numbers = range(*(value_known(lowering, part) for part in span))
        counted = Items(known=tuple(map(Const, numbers)))
        written_out(lowering, node, counted, going, note)
        return
    over = Apply("range", tuple(lowering.current(part) for part in span))
    _counted_loop(lowering, node, items, over, note)


def _is_short(lowering: Lowering, span: Span) -> bool:
    """Whether a range has so few numbers that its rounds may be written out."""
    parts = [value_known(lowering, part) for part in span]
    whole = all(type(part) is int for part in parts) and parts[2] != 0
    return whole and len(range(*parts)) <= SHORT


def _counted_loop(
    lowering: Lowering, node: gast.For, items: Items, over: Apply, note: Note
) -> None:
    if isinstance(node.target, gast.Name) and items.at is None:
        index = lowering.counter(node.target.id.strip(), Origin.USER)
    else:
        index = lowering.counter(_count_of(node), Origin.COUNT)

    def enter() -> None:
        mark = lowering.mark()
        value = Ref(index) if items.at is None else items.at(Ref(index))
        lowering.assign(node.target, value, mark)

    lowering.counting += 1
    try:
        loop(lowering, node, over, index, enter, None, note)
    finally:
        lowering.counting -= 1


def _count_of(node: gast.For) -> str:
    """What the rounds of a loop are counted by: t of `for t, x in enumerate(xs)`."""
    called = getattr(getattr(node.iter, "func", None), "id", "")
    target = node.target.elts[0] if isinstance(node.target, gast.Tuple) else None
    if called != "enumerate" or not isinstance(target, gast.Name):
        return "i"
    from_0 = len(node.iter.args) == 1 and not node.iter.keywords
    return target.id.strip() if from_0 else "i"


def written_out(
    lowering: Lowering, node: gast.For, items: Items, going: list[GoneOver], note: Note
) -> None:
    """A loop over known items, one round behind the other."""
    saved = enter_loop(lowering)
    known, places = items.known or (), items.places

    def rounds(i: int) -> None:
        if i == len(known):
            return
        if places is not None and len(places[i]) == len(going):
            _goes_on(going, places[i + 1 :])
        set_flag(lowering, GONE, FALSE)
        lowering.note = note
        lowering.assign(
            node.target, live_item(lowering, known[i], node), lowering.mark()
        )
        block(lowering, node.body)
        stop = TRUE if lowering.state.dead else flag(lowering, STOP)
        if stop == FALSE:
            rounds(i + 1)
        elif stop != TRUE and i + 1 < len(known):
            lowering.note = note
            unless_jumped(lowering, stop, lambda: rounds(i + 1))

    rounds(0)
    leave_loop(lowering, node, saved, note)


def _goes_on(going: list[GoneOver], later: tuple[Places, ...]) -> None:
    """Notes which places of the lists that a loop goes over its later rounds have read.

    for i, x in enumerate(items):
        items[i] = 2 * x           of these it has been
    """
    for one in going:
        places = chain.from_iterable(later)
        one.later = frozenset(i for buffer, i in places if buffer == one.buffer)


def _span(lowering: Lowering, items: Items) -> Span:
    """The start, stop and step of the places of what is not known item by item."""
    if items.span is not None:
        return items.span
    if items.length is None:
        place = lowering.source.node
        lowering.fail(
            "GG243", "this has no end", place, "zip(x, ...) with what has one"
        )
    return Const(0), items.length, Const(1)


@answers(Lowering.items)
def items(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    """What an expression after `in` goes over; a set only where it has no order."""
    if isinstance(node, gast.Call):
        function = lowering.resolve(node.func)
        if function is range:
            return _range(lowering, node)
        if function is enumerate and node.args:
            return _enumerate(lowering, node)
        if function is reversed and len(node.args) == 1:
            of = unless_reversed(lowering, node.args[0])
            return _reversed(lowering, lowering.items(of), node)
        if among(function, (list, tuple)) and len(node.args) == 1:
            mark = len(lowering.lists_read)
            items = lowering.items(node.args[0], sets)
            read_first(lowering, node.args[0], rows=True)  # list(y) is a copy
            if items.known is not None:
                del lowering.lists_read[mark:]
            return items
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
        part = _part(lowering, node)
        if part is not None:
            return part
    if isinstance(node, gast.GeneratorExp):
        parts = (gast.walk(part.target) for part in node.generators)
        names = (n.id for part in parts for n in part if isinstance(n, gast.Name))
        read_later(lowering, node, set(names))
    handle = lowering.gone_through(lowering.read_at_once(node), node)
    if handle is REFUSED:
        raise Refusal
    if isinstance(handle, Const) and isinstance(handle.value, str):
        return Items(known=tuple(map(Const, handle.value)))
    known = contents(lowering, lengths(lowering, handle, node, strict=False))
    buffer = None
    if isinstance(handle, Ref) and is_list_object(lowering, handle):
        buffer = lowering.memory.buffer(handle.var)
        lowering.lists_read.append(buffer)
    if known is not None:
        note_length(lowering, handle)
        if isinstance(known, SetOf) and not sets:
            lowering.fail(
                "GG243", "the order of a set is not fixed", node, "sorted(...)"
            )
        if known.op == "dict":
            return Items(known=tuple(key for key, _ in pairs_of(lowering, known)))
        looped, plain = lowering.root.source.looped, is_table(known)
        computed = looped and not plain and is_computed_table(lowering, known)
        if looped and (plain or computed):
            table = computed_table(lowering, known, node) if computed else None

            def row(index: Expr) -> Expr:
                if isinstance(index, Const):  # where the rounds are written out anyway
                    return known.args[int(index.value)]
                assert isinstance(index, Ref)
                return entry_of_table(lowering, handle, known, index, node, table)

            return Items(length=Const(len(known.args)), at=row)
        if buffer is None:
            return Items(known=known.args)
        places = tuple(((buffer, i),) for i in range(len(known.args)))
        return Items(known=known.args, places=places)
    if not isinstance(handle, Ref) or lowering.is_number(handle):
        lowering.fail(
            "GG243",
            "a loop over this is not supported",
            node,
            "for i in range(...), or the rows of an array",
        )
    length = lowering.bind(Apply("len", (handle,), (), "name:len"), node)

    def at(index: Expr) -> Expr:
        return lowering.item(handle, index, node)

    return Items(length=length, at=at)


def _range(lowering: Lowering, node: gast.Call) -> Items:
    if node.keywords or not 1 <= len(node.args) <= 3:
        lowering.fail("GG209", "range takes 1 to 3 arguments", node, "range(n)")
    parts = [lowering.read(arg) for arg in node.args]
    if REFUSED in parts:
        raise Refusal
    if len(parts) == 1:
        parts = [Const(0), parts[0]]
    span = parts[0], parts[1], (parts[2] if len(parts) == 3 else Const(1))
    return Items(span=span)


def _part(lowering: Lowering, node: gast.Subscript) -> Items | None:
    """A slice of a range, which is a range; None for one of something else."""
    base, key = node.value, node.slice
    while isinstance(base, gast.Subscript):
        base = base.value
    if isinstance(base, gast.Call):
        if lowering.resolve(base.func) is not range:
            return None
    elif not _is_dynamic(lowering, node.value):
        return None
    whole = lowering.items(node.value)
    first, end, step = (
        Const(None) if part is None else lowering.read(part)
        for part in (key.lower, key.upper, key.step)
    )
    span, at = _span(lowering, whole), whole.at
    if whole.span is None:
        if isinstance(end, Const) and type(end.value) is int and end.value < 0:
            less = subtract(span[1], Const(-end.value))
            span, end = (Const(0), lowering.bind(less, node), Const(1)), Const(None)
    parts = (*span, first, end, step)
    if all(isinstance(part, Const) for part in parts):
        numbers = range(*(part.value for part in span))
        numbers = numbers[first.value : end.value : step.value]
        bounds = Const(numbers.start), Const(numbers.stop), Const(numbers.step)
        return Items(span=bounds, at=at)

    def write(value: Apply) -> Expr:
        return lowering.bind(value, node)

    if first == end == Const(None) and step == Const(-1):
        return Items(span=backwards(span, write), at=at)
    places = ((key.lower, first), (key.upper, end))
    if step in (Const(None), Const(1)) and all(
        _is_natural(lowering, place, value) for place, value in places
    ):
        part = cut(span, first, end, write)
        if part is not None:
            return Items(span=part, at=at)
    lowering.fail(
        "GG243",
        "this part of a range or a list is not supported",
        node,
        "range(...) of the numbers themselves",
    )


def _is_dynamic(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression is the name of a list of unknown length."""
    if not isinstance(node, gast.Name) or not lowering.is_local(node.id):
        return False
    handle = lookup(lowering, node.id)
    is_list = isinstance(handle, Ref) and is_list_object(lowering, handle)
    return is_list and handle is not None and contents(lowering, handle) is None


def _is_natural(lowering: Lowering, node: gast.AST, value: Expr) -> bool:
    """Whether a place in a range is none, or surely not below 0."""
    if isinstance(value, Const):
        return value.value is None or value.value >= 0
    defined = assigned_to(lowering, value)
    if isinstance(defined, Apply) and defined.op == "len":
        return True
    return is_count(node, lowering.frame.node)


def _enumerate(lowering: Lowering, node: gast.Call) -> Items:
    inner = counted(lowering, lowering.items(node.args[0]), node)
    given = [*node.args[1:], *(k.value for k in node.keywords)]
    start = lowering.read(given[0]) if given else Const(0)
    if inner.known is not None and isinstance(start, Const):
        pairs = enumerate(inner.known, start.value)
        known = tuple(_pair(Const(i), item) for i, item in pairs)
        return Items(known=known, places=inner.places)
    at = inner.at
    if at is None:
        lowering.fail("GG243", "this cannot be counted", node, "enumerate(x)")

    def both(index: Expr) -> Expr:
        number = index
        if start != Const(0):
            number = lowering.bind(add(index, start), node)
        return _pair(number, at(index))

    return Items(length=inner.length, at=both)


def _reversed(lowering: Lowering, items: Items, node: gast.AST) -> Items:
    if items.known is not None:
        places = items.places and items.places[::-1]
        return Items(known=items.known[::-1], places=places)
    if items.span is not None:
        span = backwards(items.span, lambda v: lowering.bind(v, node))
        return Items(span=span, at=items.at)
    assert items.length is not None
    last = lowering.bind(subtract(items.length, Const(1)), node)
    return Items(span=(last, Const(-1), Const(-1)), at=items.at)


@handles(gast.While)
def while_loop(lowering: Lowering, node: gast.While) -> None:
    text = f"while {lowering.source.one_line(node.test)}"
    lowering.start(node, "", text, node.test)
    index = lowering.counter("i")
    loop(lowering, node, None, index, lambda: None, node.test, lowering.note)


@handles(gast.Break)
def break_(lowering: Lowering, node: gast.Break) -> None:
    for name in (GONE, STOP, BROKE):
        set_flag(lowering, name, TRUE)


@handles(gast.Continue)
def continue_(lowering: Lowering, node: gast.Continue) -> None:
    set_flag(lowering, GONE, TRUE)


def _pair(a: Expr, b: Expr) -> Apply:
    return Apply("tuple", (a, b))


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

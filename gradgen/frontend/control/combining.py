"""itertools over what is not known item by item: loops inside each other, and lists.

before:  for a, b in itertools.combinations(x, 2): ...
after:   for i in range(len(x)):
             for j in range(i + 1, len(x)):
                 a, b = x[i], x[j]
                 ...
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.control.branches import attempt
from gradgen.frontend.control.chaining import (
    as_list,
    over_accumulate,
    over_chain,
    over_from_iterable,
)
from gradgen.frontend.control.chaining import over_islice, over_pairwise, placeable
from gradgen.frontend.control.comprehensions import listed_items, placed
from gradgen.frontend.control.conditions import binary
from gradgen.frontend.control.counts import ROUNDS, counted
from gradgen.frontend.control.generators import read_first
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.source.iterators_in_place import chains_rows
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held, Slot
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, multiply

# functions of itertools whose items are tuples of items, one for each of some loops
PRODUCTS: tuple[Callable[..., Any], ...] = (
    itertools.product,
    itertools.combinations,
    itertools.combinations_with_replacement,
    itertools.permutations,
)
MOST = 4  # loops inside each other


class Later(Held):
    """What a loop goes over, found when the loop is written."""

    def __init__(self, items: Callable[[], Items], like: gast.AST) -> None:
        super().__init__(REFUSED, like)
        self.items = items


class Gathered(gast.AST):
    """The tuple of the items of the loops around, when it is read."""

    _fields = ()
    _attributes = Held._attributes

    def __init__(self, parts: Callable[[], tuple[Expr, ...]], like: gast.AST) -> None:
        super().__init__()
        self.parts = parts
        gast.copy_location(self, like)


def unknown_items(lowering: Lowering, node: gast.AST) -> Items | None:
    """What a call goes over where that is not known item by item, else None."""
    if isinstance(node, Later):
        return node.items()
    if not isinstance(node, gast.Call):
        return None
    found = _of_rows(lowering, node)
    if found is not None:
        return found
    function = lowering.resolve(node.func)
    if chains_rows(function) and len(node.args) == 1:
        return over_from_iterable(lowering, node)
    if getattr(function, "__module__", "") != "itertools":
        return None
    made = _unending(lowering, function, node)
    if made is not None:
        return made
    own = OVER.get(function.__name__)
    if own is None and among(function, PRODUCTS):
        own = _nested_list
    if own is None or _all_known(lowering, node):
        return None
    result: Items | None = own(lowering, node)
    return result


def _nested_list(lowering: Lowering, node: gast.Call) -> Items:
    """The tuples of the items of loops inside each other, as a list."""
    if any(isinstance(arg, gast.Starred) for arg in node.args):
        lowering.fail("GG243", "this needs a known length", node, "the rows one by one")
    if not _columns(lowering, lowering.resolve(node.func), node):
        return Items(known=(Apply("tuple", ()),))
    return as_list(lowering, node)


def _all_known(lowering: Lowering, node: gast.Call) -> bool:
    """Whether what a function of itertools goes over is known item by item."""

    def looked() -> bool | None:
        rows = [
            lowering.items(arg) for arg in node.args if not _is_count(lowering, arg)
        ]
        return all(row.known is not None or _counts(lowering, row) for row in rows)

    written = len(lowering.body)
    state = lowering.state.copy()
    found = attempt(lowering, looked)
    del lowering.body[written:]
    lowering.state = state
    return found is not False


def _is_count(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an argument is a number or a function, which nothing goes over."""
    if isinstance(node, (gast.Constant, gast.Lambda)):
        return True
    if isinstance(node, (gast.Name, gast.Attribute, gast.BinOp)):
        if type(value_known(lowering, lowering.read(node))) is int:
            return True
    return callable(lowering.resolve(node)) if isinstance(node, gast.AST) else False


def _counts(lowering: Lowering, row: Items) -> bool:
    """Whether a range has numbers that are known, and not many."""
    if row.span is None or row.at is not None:
        return False
    values = [value_known(lowering, part) for part in row.span]
    whole = all(type(value) is int for value in values) and values[2] != 0
    return whole and len(range(*values)) <= ROUNDS


def nested_loops(lowering: Lowering, node: gast.For) -> gast.For | None:
    """A loop over products or combinations of what is not known, as loops.

    A break leaves all of them: each loop inside has an else that goes on.
    """
    call = node.iter
    if not isinstance(call, gast.Call) or any(
        isinstance(arg, gast.Starred) for arg in call.args
    ):
        return None
    function = lowering.resolve(call.func)
    if not among(function, PRODUCTS) or _all_known(lowering, call):
        return None
    lists, generated = len(lowering.lists_read), len(lowering.generated)
    columns = _columns(lowering, function, call)
    if not columns:
        return None  # an only item, which is empty
    own = lowering.lists_read[lists:], lowering.generated[generated:]
    del lowering.lists_read[lists:], lowering.generated[generated:]
    slots = [Slot(node.target) for _ in columns]

    def around(level: int) -> Callable[[], Items]:
        def items() -> Items:
            if level == 0:
                lowering.lists_read += own[0]
                lowering.generated += own[1]
            return _level(lowering, function, columns, slots, level, call)

        return items

    def parts() -> tuple[Expr, ...]:
        pairs = zip(columns, slots, strict=True)
        return tuple(_at(column, slot.handle) for column, slot in pairs)

    gathered: Any = Gathered(parts, node.target)
    first: Any = gast.Assign([node.target], gathered, None)
    body: list[Any] = [gast.copy_location(first, node), *node.body]
    if function is itertools.permutations:
        body = [*_different(lowering, slots, node), *body]
    leaves = any(isinstance(one, gast.Break) for one in gast.walk(node))
    for level in reversed(range(len(columns))):
        orelse = node.orelse if level == 0 else [gast.Continue()] if leaves else []
        over: Any = Later(around(level), call)
        target: Any = slots[level]
        loop = gast.For(target, over, body, orelse, None)
        body = [loop, gast.Break()] if level and leaves else [loop]
        for one in body:
            placed(lowering, one, node)
    found: gast.For = body[0]
    return found


def _columns(lowering: Lowering, function: Any, call: gast.Call) -> list[Items]:
    """What each of the loops goes over."""
    options = {str(k.arg): k.value for k in call.keywords}
    if function is itertools.product:
        times = options.get("repeat")
        count = 1 if times is None else value_known(lowering, lowering.read(times))
        args = call.args
    else:
        given = [*call.args[1:], *options.values()]
        count = value_known(lowering, lowering.read(given[0])) if given else NO_VALUE
        args = call.args[:1]
    if type(count) is not int:
        lowering.fail("GG243", "this count is not known here", call, "a number")
    found = []
    for arg in args:
        column = lowering.items(arg)
        if column.known is None or function is not itertools.product:
            column = placeable(lowering, column, call)
        found.append(column)
    if len(found) * count > MOST:
        lowering.fail(
            "GG242",
            f"{len(found) * count} loops inside each other are too many",
            call,
            f"at most {MOST}",
        )
    read_first(lowering, call, rows=True)  # each of them is copied first
    return found * count


def _level(
    lowering: Lowering,
    function: Any,
    columns: list[Items],
    slots: list[Slot],
    level: int,
    node: gast.AST,
) -> Items:
    """What the loop of a level goes over: items that are known, or places."""
    column = columns[level]
    if column.known is not None:
        return Items(known=column.known)
    assert column.length is not None
    first: Expr = Const(0)
    if level and function is itertools.combinations:
        first = lowering.bind(add(slots[level - 1].handle, Const(1)), node)
    elif level and function is itertools.combinations_with_replacement:
        first = slots[level - 1].handle
    return Items(span=(first, column.length, Const(1)))


def _different(lowering: Lowering, slots: list[Slot], node: gast.For) -> list[Any]:
    """Tests that go on where a place is taken twice."""
    found = []
    for i, slot in enumerate(slots):
        for other in slots[:i]:
            test: Any = gast.Compare(slot, [gast.Eq()], [other])
            skip = gast.If(test=test, body=[gast.Continue()], orelse=[])
            found.append(placed(lowering, skip, node.iter))
    return found


def _unending(lowering: Lowering, function: Any, node: gast.Call) -> Items | None:
    """itertools.count(), cycle(...) and repeat(x), for zip."""
    if function is itertools.repeat and len(node.args) == 1 and not node.keywords:
        value = lowering.read(node.args[0])
        return Items(at=lambda i: value)
    if function is itertools.count:
        named = {str(k.arg): lowering.read(k.value) for k in node.keywords}
        given = [lowering.read(arg) for arg in node.args]
        start = given[0] if given else named.get("start", Const(0))
        step = given[1] if len(given) > 1 else named.get("step", Const(1))

        def number(i: Expr) -> Expr:
            more = i if step == Const(1) else lowering.bind(multiply(i, step), node)
            return more if start == Const(0) else lowering.bind(add(start, more), node)

        return Items(at=number)
    if function is itertools.cycle and len(node.args) == 1:
        column = lowering.items(node.args[0])
        read_first(lowering, node, rows=True)  # it goes over a copy again
        return _cycle(lowering, column, node)
    return None


def _cycle(lowering: Lowering, column: Items, node: gast.Call) -> Items:
    if column.known is None:
        column = counted(lowering, column, node)
        length: Expr | None = column.length
        at = column.at
    else:
        known: tuple[Expr, ...] = column.known
        length = Const(len(known))
        array = Apply("numpy.array", (Apply("list", known),))

        def at(i: Expr) -> Expr:
            if isinstance(i, Const):
                return known[int(i.value)]
            if not all(isinstance(one, Const) for one in known):
                lowering.fail(
                    "GG243", "this cannot be a loop", node, "an array of them"
                )
            return lowering.item(lowering.bind(array, node), i, node)

    assert length is not None and at is not None
    place = at

    def turned(i: Expr) -> Expr:
        if isinstance(i, Const) and isinstance(length, Const):
            return place(Const(i.value % length.value))
        return place(binary(lowering, "Mod", i, length, node))

    return Items(at=turned)


def _of_rows(lowering: Lowering, node: gast.Call) -> Items | None:
    """zip(*X) of a matrix: a list for each of its columns."""
    if len(node.args) != 1 or node.keywords:
        return None
    star = node.args[0]
    if not isinstance(star, gast.Starred) or lowering.resolve(node.func) is not zip:
        return None
    handle = lowering.gone_through(lowering.read_at_once(star.value), star)
    if handle is REFUSED:
        raise Refusal
    plain = contents(lowering, handle) is None and not is_a_list(lowering, handle)
    if not plain or lowering.is_number(handle) or lowering.facts.rank(handle) == 1:
        return None
    shape = gast.Attribute(Held(handle, node), "shape", gast.Load())
    axis = gast.Subscript(shape, Held(Const(1), node), gast.Load())
    length = lowering.read(placed(lowering, axis, node))

    def column(i: Expr) -> Expr:
        every = gast.Slice(None, None, None)
        key = gast.Tuple([every, Held(i, node)], gast.Load())
        part: Any = gast.Subscript(Held(handle, node), key, gast.Load())
        over = gast.Call(func=node.func, args=[part], keywords=[])
        return listed_items(lowering, placed(lowering, over, node))

    return Items(length=length, at=column)


def _at(column: Items, place: Expr) -> Expr:
    """The item at a place, which is the item itself where items are known."""
    if column.known is not None or column.at is None:
        return place
    return column.at(place)


# what goes over the results of functions of itertools
OVER: dict[str, Callable[[Lowering, Any], Items | None]] = {
    "accumulate": over_accumulate,
    "chain": over_chain,
    "islice": over_islice,
    "pairwise": over_pairwise,
}

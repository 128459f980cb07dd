"""zip, map and functools.reduce: items side by side, and a call for each.

before:  for a, b in zip(x, y): ...
after:   for i in range(len(x)):
             a, b = x[i], y[i]
             ...
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import gast

from gradgen.frontend.calls.arguments import apply
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.control.counts import counted
from gradgen.frontend.control.generators import by_turns, changed_by_none
from gradgen.frontend.control.generators import gives_in_turn, has_changed
from gradgen.frontend.control.generators import read_before, read_first, read_later
from gradgen.frontend.control.generators import refuse_taken_in_part
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.pending import Items
from gradgen.ir.nodes import Apply, Const, Expr


@answers(Lowering.items)
def items(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    if isinstance(node, gast.Call) and node.args:
        function = lowering.resolve(node.func)
        if function is zip:
            return _zip_of(lowering, None, node.args, node)
        if function is map and len(node.args) > 1:
            return _zip_of(lowering, node.args[0], node.args[1:], node)
    return items.further(lowering, node, sets)


def _zip_of(
    lowering: Lowering, function: gast.AST | None, rows: list[Any], node: gast.AST
) -> Items:
    """Rows of items, whose steps take turns with the calls of a function."""

    def gather() -> Items:
        return _zip(lowering, _of_one_length(lowering, rows, node), node)

    def call(parts: Items) -> Items:
        return parts if function is None else _mapped(lowering, function, parts, node)

    return by_turns(lowering, function, rows, gather, call)


def _of_one_length(lowering: Lowering, rows: list[Any], node: gast.AST) -> list[Items]:
    """The items of each row; what the shortest cuts off must change nothing.

    Nor may a row change those before it: they are gone through when all have been read.
    """
    parts, changing = [], []
    with changed_by_none(lowering) as read:
        for row in rows:
            before, mark = lowering.state.copy(), lowering.mark()
            parts.append(lowering.items(row))
            if gives_in_turn(lowering, row) and has_changed(lowering, before, mark):
                changing.append(parts[-1])
            read(row)
    counts = {len(part.known) for part in parts if part.known is not None}
    if len(counts) > 1 and any(len(p.known or ()) > min(counts) for p in changing):
        refuse_taken_in_part(lowering, node)
    parts = [counted(lowering, part, node) for part in parts]
    return [
        _called_once_more(lowering, row, parts[i:], node) for i, row in enumerate(rows)
    ]


def _called_once_more(
    lowering: Lowering, row: gast.AST, parts: list[Items], node: gast.AST
) -> Items:
    """The items of a row, the first of `parts`; the others stand behind it in a zip.

    zip(map(f, x), y) calls f of the item for which there is none of y, and the text does
    not: what is computed for each item has to change nothing, where y may be shorter.
    """
    part, at = parts[0], parts[0].at
    if at is None or not gives_in_turn(lowering, row):
        return part
    if all(_is_no_shorter(lowering, other, part, node) for other in parts[1:]):
        return part
    place = at

    def unchanging(i: Expr) -> Expr:
        before, mark = lowering.state.copy(), lowering.mark()
        found = place(i)
        if has_changed(lowering, before, mark):
            refuse_taken_in_part(lowering, node)
        return found

    return replace(part, at=unchanging)


def _is_no_shorter(
    lowering: Lowering, other: Items, part: Items, node: gast.AST
) -> bool:
    """Whether there is an item of the other for each item of a part."""
    if other.known is None and other.length is None:
        return True  # without end
    if other.length is None or part.length is None:
        return False
    own, its = (lowering.current(one, node) for one in (part.length, other.length))
    return own == its or lowering.facts.dim(own) == lowering.facts.dim(its)


def _mapped(lowering: Lowering, called: gast.AST, parts: Items, node: Any) -> Items:
    """map(f, xs, ys): a call for each."""
    function = lowering.read(called)
    if not callable(getattr(function, "value", None)):
        lowering.fail("GG243", "map takes a known function here", node, "a loop")

    def result(row: Expr) -> Expr:
        return apply(lowering, function, row.args, (), node)

    if parts.known is not None:
        rows = node.args[1:]
        read_later(lowering, called)
        for row in rows:
            read_first(lowering, row)
        with read_before(lowering, rows, parts.known):
            return Items(known=tuple(map(result, parts.known)))
    at = parts.at
    assert at is not None  # what is not known has something at each place
    return Items(length=parts.length, at=lambda i: result(at(i)))


def _zip(lowering: Lowering, parts: list[Items], node: gast.AST) -> Items:
    if all(part.known is not None for part in parts):
        rows = zip(*(part.known for part in parts))
        known = tuple(Apply("tuple", tuple(row)) for row in rows)
        of_lists = [part.places for part in parts if part.places is not None]
        read = tuple(tuple(chain(*row)) for row in zip(*of_lists))
        return Items(known=known, places=read or None)
    if any(part.known is not None for part in parts):
        return _zip_with_known(lowering, parts, node)
    lengths = [part.length for part in parts if part.length is not None]
    places = [part.at for part in parts if part.at is not None]
    if not lengths:
        row = lambda i: Apply("tuple", tuple(place(i) for place in places))  # noqa
        return Items(at=row)
    length = lowering.current(lengths[0], node)
    others = () if getattr(node, "alike", False) else lengths[1:]
    for one in others:
        other = lowering.current(one, node)
        if other != length and lowering.facts.dim(other) != lowering.facts.dim(length):
            smaller = Apply("numpy.minimum", (length, other), (), "name:min")
            length = lowering.bind(smaller, node)

    def at(index: Expr) -> Expr:
        return Apply("tuple", tuple(place(index) for place in places))

    return Items(length=length, at=at)


def _zip_with_known(lowering: Lowering, parts: list[Items], node: gast.AST) -> Items:
    """zip of lists and arrays: as many rounds as the shortest list has items."""
    read_first(lowering, node, rows=True)  # what is unknown is read as a whole
    count = min(len(part.known) for part in parts if part.known is not None)
    for part in parts:
        if part.length is not None:
            length = lowering.current(part.length, node)
            if length != Const(count):
                few = Apply("numpy.less", (length, Const(count)), (), "operator")
                told = f"zip of a list of {count} and a shorter array"
                raise_where(lowering, few, ValueError, told)
    rows: list[Expr] = []
    for i in range(count):
        row = (p.known[i] if p.known else _place(lowering, p, i) for p in parts)
        rows.append(Apply("tuple", tuple(row)))
    return Items(known=tuple(rows))


def _place(lowering: Lowering, part: Items, i: int) -> Expr:
    assert part.at is not None  # what is not known has something at each place
    return part.at(Const(i))

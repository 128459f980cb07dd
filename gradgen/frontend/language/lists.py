"""Methods of lists whose length is not known, and operations on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.only_filled import is_only_filled
from gradgen.frontend.heap.lists import entry_of_list, hold, joined_of, may_be_boxed
from gradgen.frontend.heap.lists import new_list, next_of_list, part_of_list
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import OF_TUPLES
from gradgen.rules.load import operations
from gradgen.rules.traits import takes_array
from gradgen.shapes.kinds import Kind

WHOLE = Apply("slice", (Const(None),) * 3)
# how to write what is not supported
INSTEAD = {
    "insert": "a place that is a constant, or an array",
    "pop": "a place that is a constant: x.pop(0)",
    "sort": "np.sort(np.array(x))",
    "remove": "a slice",
}


@answers(Lowering.as_dynamic)
def as_dynamic(lowering: Lowering, buffer: Var, version: Expr) -> Ref:
    """A list as a value of the text's own, whose length may change."""
    if isinstance(version, Ref):
        return version
    for leaf in version.args:
        if isinstance(leaf, Ref):
            hold(lowering, buffer, leaf)
    made = lowering.emit(lowering.current(version), lowering.known_name(buffer))
    lowering.assume(made.var, lowering.facts.fresh(), Kind.LIKE)
    lowering.wish(made.var, lowering.known_name(buffer))
    lowering.memory.homes[made.var] = Home(buffer)
    lowering.memory.lists.add(buffer)
    return made


@answers(Lowering.list_method)
def list_method(
    lowering: Lowering, handle: Ref, name: str, args: list[Any], node: gast.AST
) -> Expr:
    """x.append(y), x.extend(ys), x.pop(), x.insert(0, y), x.clear(), x.copy()."""
    buffer = lowering.memory.buffer(handle.var)
    if (
        name == "append"
        and len(args) == 1
        and is_only_filled(lowering, buffer, args[0])
    ):
        return Const(None)
    old = lowering.current(handle, node)
    if name == "append" and len(args) == 1:
        next_of_list(
            lowering,
            handle,
            Apply("append", (old, entry_of_list(lowering, buffer, args[0], node))),
            node,
        )
        return Const(None)
    if name == "extend" and len(args) == 1:
        more = contents(lowering, args[0])
        if more is not None and more.op in ("list", "tuple"):
            for item in more.args:
                lowering.list_method(handle, "append", [item], node)
            return Const(None)
        if lowering.is_dynamic(args[0]):
            _grown(lowering, handle, args[0], node)
            return Const(None)
    if name == "pop" and args in ([], [Const(-1)]):
        last = lowering.item(handle, Const(-1), node)
        next_of_list(
            lowering,
            handle,
            Apply("shortened", (old, lowering.current(last, node))),
            node,
        )
        return last
    if name == "pop" and args == [Const(0)]:
        first = lowering.item(handle, Const(0), node)
        rest = Apply("slice", (Const(1), Const(None), Const(None)))
        next_of_list(lowering, handle, Apply("sliced", (old, rest)), node)
        return first
    place = value_known(lowering, args[0]) if args else None
    if name == "pop" and type(place) is int and len(args) == 1:
        taken = lowering.item(handle, args[0], node)
        _put_together(lowering, handle, (None, place), (), (place + 1, None), node)
        return taken
    if name == "insert" and type(place) is int and len(args) == 2:
        items = (entry_of_list(lowering, buffer, args[1], node),)
        _put_together(lowering, handle, (None, place), items, (place, None), node)
        return Const(None)
    if name == "clear" and not args:
        empty = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
        lowering.store(handle, WHOLE, empty, node)
        return Const(None)
    if name == "reverse" and not args:
        back = Apply("slice", (Const(None), Const(None), Const(-1)))
        next_of_list(lowering, handle, Apply("sliced", (old, back)), node)
        return Const(None)
    if name == "copy" and not args:
        return part_of_list(lowering, handle, WHOLE, node)
    lowering.fail(
        "GG241",
        f"this .{name}() of a list whose length is not known is not supported",
        node,
        INSTEAD.get(name, "x.append(y)"),
    )


def _put_together(
    lowering: Lowering,
    handle: Ref,
    first: tuple[int | None, int | None],
    items: Sequence[Expr],
    last: tuple[int | None, int | None],
    node: gast.AST,
) -> None:
    """The list is two parts of it, and items between them.

    before:  x.insert(2, y)         after:  x[:] = x[:2] + [y] + x[2:]
             x.pop(2)                       x[:] = x[:2] + x[3:]
    """
    parts: list[Expr] = [
        part_of_list(
            lowering, handle, Apply("slice", (*map(Const, ends), Const(None))), node
        )
        for ends in (first, last)
    ]
    if items:
        name = wish_of_list(lowering)
        parts.insert(1, new_list(lowering, Apply("list", tuple(items)), name))
    whole: Any = Held(parts[0], node)
    for part in parts[1:]:
        both = gast.BinOp(left=whole, op=gast.Add(), right=Held(part, node))
        whole = gast.copy_location(both, node)
    lowering.store(handle, WHOLE, lowering.read(whole), node)


def _grown(lowering: Lowering, handle: Ref, more: Ref, node: gast.AST) -> None:
    """x.extend(y), x += y, of two lists."""
    buffer = lowering.memory.buffer(handle.var)
    lowering.memory.join(buffer, lowering.memory.reach(more.var))
    lowering.memory.links.inherit(buffer, lowering.memory.buffer(more.var))
    may_be_boxed(lowering, buffer, more, node)
    next_of_list(lowering, handle, joined_of(lowering, handle, more, node), node)


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """An operation; what takes an array makes one of a list.

    So it does of an argument that is a tuple of numbers by default: x / np.asarray(W).
    """
    if any(_is_sequence(lowering, one) for one in value.args) and _of_arrays(
        lowering, value
    ):
        made = [_of_numbers(lowering, one, node) for one in value.args]
        value = replace(value, args=tuple(made))
    if value.op.startswith("numpy.") and value.spelling != "operator":
        whole = tuple(_with_arrays(lowering, arg, node) for arg in value.args)
        value = value if whole == value.args else replace(value, args=whole)
    if value.spelling != "operator" and any(map(lowering.is_dynamic, value.args)):
        args = [
            _as_array(lowering, arg, node)
            if lowering.is_dynamic(arg) and takes_array(value.op, i)
            else arg
            for i, arg in enumerate(value.args)
        ]
        value = replace(value, args=tuple(args))
    return bind.further(lowering, value, node)


def _with_arrays(lowering: Lowering, arg: Expr, node: gast.AST | None) -> Expr:
    """A list that is written out, with an array for each list in it that a loop fills.

    before:  np.stack([x, filled])          after:  np.stack([x, np.array(filled)])
    """
    listed = arg if isinstance(arg, Apply) else lowering.state.held(arg)
    if not isinstance(listed, Apply) or listed.op not in ("list", "tuple"):
        return arg
    if not any(map(lowering.is_dynamic, listed.args)):
        return arg
    items = (
        _as_array(lowering, one, node) if lowering.is_dynamic(one) else one
        for one in listed.args
    )
    return replace(listed, args=tuple(items))


def _is_sequence(lowering: Lowering, one: Expr) -> bool:
    return isinstance(one, Ref) and one.var in lowering.sequences


def _of_arrays(lowering: Lowering, value: Apply) -> bool:
    """Whether an operation is one of arrays surely: (1, 2) * n repeats a tuple."""
    rule = operations().get(value.op)
    if rule is None or rule.kind != "elementwise":
        return False
    others = [one for one in value.args if not _is_sequence(lowering, one)]
    if value.spelling == "operator" and value.op in OF_TUPLES:
        return any((lowering.facts.rank(lowering.current(one)) or 0) for one in others)
    return True


def _of_numbers(lowering: Lowering, one: Expr, node: gast.AST | None) -> Expr:
    if not _is_sequence(lowering, one):
        return one
    return bind.further(lowering, Apply("numpy.asarray", (one,)), node)


def _as_array(lowering: Lowering, items: Ref, node: gast.AST | None) -> Expr:
    return bind.further(lowering, Apply("numpy.array", (items,)), node)

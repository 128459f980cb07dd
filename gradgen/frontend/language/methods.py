"""Methods of lists and dictionaries that are known item by item."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.heap.arguments_changed import note_all_keys
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.heap.views import changed_in_place, parts_of_view, viewed
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr

VIEWS = ("keys", "values", "items")


@answers(Lowering.method_of_known)
def method_of_known(
    lowering: Lowering,
    handle: Expr,
    known: Apply,
    name: str,
    args: list[Any],
    named: Mapping[str, Expr],
) -> Expr | None:
    """The result of a method; None where it is not known."""
    if known.op == "dict":
        if name == "copy":
            note_all_keys(lowering, handle)
        return _of_dict(lowering, handle, known, name, args, named)
    if known.op != "list":
        return None
    items = list(known.args)
    result: Expr = Const(None)
    if name in ("pop", "insert", "remove"):  # i % 2, in a round that is written out
        args = [_as_constant(lowering, arg) for arg in args]
    more = contents(lowering, args[0]) if args else None
    if named:
        return None
    if name == "count" and len(args) == 1:
        return _count(lowering, items, args[0])
    if name == "append" and len(args) == 1:
        items.append(args[0])
    elif name == "extend" and more is not None:
        items += more.args
    elif name == "pop" and all(isinstance(arg, Const) for arg in args) and items:
        result = items.pop(*(arg.value for arg in args))
    elif name == "insert" and isinstance(args[0], Const):
        items.insert(args[0].value, args[1])
    elif name == "reverse":
        items.reverse()
    elif name == "clear" and not args:
        items.clear()
    elif name == "remove" and all(isinstance(i, Const) for i in (*items, *args)):
        if args[0] not in items:
            return None
        items.remove(args[0])
    elif name == "copy":
        return new_list(lowering, known, wish_of_list(lowering))
    else:
        return None
    changed_in_place(lowering, handle, replace(known, args=tuple(items)))
    return result


def _as_constant(lowering: Lowering, value: Expr) -> Expr:
    """The constant that a value is known as, or the value."""
    known = value_known(lowering, value)
    return Const(known) if type(known) in (int, str) else value


def _count(lowering: Lowering, items: list[Expr], wanted: Expr) -> Expr | None:
    """[a, b].count(None), where each comparison is known."""
    word = "is" if wanted == Const(None) else "numpy.equal"
    found = 0
    for item in items:
        pair = lowering.current(item), lowering.current(wanted)
        same = known_truth(lowering, Apply(word, pair, (), "operator"))
        if same is None:
            return None
        found += same
    return Const(found)


def _of_dict(
    lowering: Lowering,
    handle: Expr,
    known: Apply,
    name: str,
    args: list[Any],
    named: Mapping[str, Expr],
) -> Expr | None:
    pairs = pairs_of(lowering, known)
    items = {getattr(key, "value", None): value for key, value in pairs}
    key = value_known(lowering, args[0]) if args else NO_VALUE
    is_key = key is not NO_VALUE and isinstance(key, Hashable)
    default = args[1] if len(args) > 1 else None
    if name == "get" and is_key:
        return items.get(key, default or Const(None))
    if name == "copy":
        return new_list(lowering, known, "items")
    if name in VIEWS and not args:
        note_all_keys(lowering, handle)
        return viewed(lowering, handle, name, parts_of_view(pairs, name))
    result: Expr = Const(None)
    if name == "update":
        for arg in args:
            more = _pairs_of(lowering, arg)
            if more is None:
                return None
            items |= more
        items.update({key: value for key, value in named.items()})
    elif named:
        return None
    elif name == "setdefault" and is_key:
        result = items.setdefault(key, default or Const(None))
    elif name == "pop" and is_key and (key in items or default is not None):
        result = items.pop(key, default or Const(None))
    elif name == "popitem" and items:
        last, value = items.popitem()
        result = Apply("tuple", (Const(last), value))
    elif name == "clear":
        items.clear()
    else:
        return None
    keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
    changed_in_place(lowering, handle, Apply("dict", tuple(items.values()), keys))
    return result


def _pairs_of(lowering: Lowering, handle: Expr) -> dict[Any, Expr] | None:
    """What a dictionary, or pairs of keys and values, would set."""
    known = contents(lowering, handle)
    if known is None:
        return None
    if known.op == "dict":
        return {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
    found: dict[Any, Expr] = {}
    for item in known.args:
        pair = contents(lowering, item)
        if pair is None or len(pair.args) != 2:
            return None
        key = value_known(lowering, pair.args[0])
        if key is NO_VALUE or not isinstance(key, Hashable):
            return None
        found[key] = pair.args[1]
    return found

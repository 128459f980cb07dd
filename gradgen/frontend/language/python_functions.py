"""Python's own functions on containers and arrays: sorted, any, max with a key, reduce."""

from __future__ import annotations

import builtins
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.calls.ordering import call_max, call_min, call_sorted
from gradgen.frontend.calls.protocols import unless_divided
from gradgen.frontend.calls.reduced import call_reduce
from gradgen.frontend.control.branches import attempt, unless_none
from gradgen.frontend.control.comprehensions import by_key, decided_in_loop
from gradgen.frontend.control.comprehensions import filled_list, listed_items
from gradgen.frontend.control.conditions import binary
from gradgen.frontend.control.generators import taken_in_part
from gradgen.frontend.control.unpacking import makes_iterator
from gradgen.frontend.control.zipping import items_if_known, truth_of
from gradgen.frontend.heap.arguments_changed import note_all_keys
from gradgen.frontend.heap.containers import new_dict, untold
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import is_list_object, new_list
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.statics import range_of, set_of
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.shapes.kinds import Kind

# a list of so many numbers is written out
SHORT = 16


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    name = getattr(value, "__name__", "")
    own = None
    if getattr(builtins, name, None) is value or value is functools.reduce:
        own = CALLS.get(name)
    if own is not None and node.args:
        found = unless_none(lowering, node, functools.partial(own, lowering, node))
        if found is not None:
            return found
    if value is defaultdict and len(node.args) == 1:
        made = new_dict(lowering, dict(by_keyword(lowering, node)))
        lowering.factories[made.var] = lowering.read(node.args[0])
        return made
    if value is OrderedDict:
        return call_dict(lowering, node)
    return special_call.further(lowering, value, node)


def call_any(lowering: Lowering, node: gast.Call, stop: bool = True) -> Expr | None:
    return taken_in_part(lowering, node, lambda: _found(lowering, node, stop))


def call_all(lowering: Lowering, node: gast.Call) -> Expr | None:
    return call_any(lowering, node, False)


def _found(lowering: Lowering, node: gast.Call, stop: bool) -> Expr | None:
    """any(...) and all(...): the first item that decides, else all of them."""
    arg = node.args[0]
    if isinstance(arg, gast.GeneratorExp):
        known = attempt(lowering, lambda: _each(lowering, arg))
        if known is None:
            return decided_in_loop(lowering, arg, stop)
    else:
        value = lowering.gone_through(lowering.read_at_once(arg), node)
        whole = contents(lowering, value)
        if value is REFUSED:
            return REFUSED
        if whole is None:
            word = "numpy.any" if stop else "numpy.all"
            return lowering.bind(Apply(word, (value,)), node)
        known = list(whole.args)
    parts = []
    for item in known:
        now = lowering.current(lowering.as_truth(item, node), node)
        truth = truth_of(lowering, now)
        if truth is stop:
            return Const(stop)
        if truth is None:
            parts.append(_bool(lowering, now, node))
    if not parts:
        return Const(not stop)
    if len(parts) == 1:
        return lowering.bind(Apply("bool", (parts[0],), (), "name:bool"), node)
    word = "or" if stop else "and"
    return lowering.emit(Apply(word, tuple(parts), (), "operator"), "found", node)


def _bool(lowering: Lowering, value: Expr, node: gast.Call) -> Expr:
    if isinstance(value, Ref) and lowering.facts.kind(value) is Kind.BOOLEAN:
        return value
    return lowering.bind(Apply("bool", (value,), (), "name:bool"), node)


def call_list(lowering: Lowering, node: gast.Call) -> Expr | None:
    """list(range(1, 3)), as the list of its numbers."""
    found = items_if_known(lowering, node.args[0])
    if found.known is None and found.span is not None and found.at is None:
        values = [value_known(lowering, part) for part in found.span]
        if all(type(value) is int for value in values):
            numbers = range(*values)
            if len(numbers) <= SHORT:
                known = Apply("list", tuple(map(Const, numbers)))
                return new_list(lowering, known, wish_of_list(lowering))
    return None


def _each(lowering: Lowering, node: gast.GeneratorExp) -> list[Expr]:
    """What a generator computes, where it goes over what is known."""
    found = contents(lowering, filled_list(lowering, node))
    if found is None:
        raise Refusal
    return list(found.args)


def call_divmod(lowering: Lowering, node: gast.Call) -> Expr | None:
    a, b = positional(lowering, node)
    unless_divided(lowering, a, b, node)
    parts = (binary(lowering, name, a, b, node) for name in ("FloorDiv", "Mod"))
    return Apply("tuple", tuple(parts))


def call_round(lowering: Lowering, node: gast.Call) -> Expr | None:
    """round(x) of a number, an integer; round(x, 2), which np.round is not of 7.215."""
    args = positional(lowering, node)
    if REFUSED in args:
        return REFUSED
    spelling = "name:round" if len(args) == 2 else ""
    made = lowering.bind(Apply("numpy.round", tuple(args), (), spelling), node)
    if len(args) == 2:
        return made
    if lowering.facts.rank(lowering.current(args[0], node)):
        return None  # which Python does not round
    return lowering.bind(Apply("int", (made,), (), "name:int"), node)


def call_range(lowering: Lowering, node: gast.Call) -> Expr | None:
    """A range as a value: the list of its numbers, or np.arange."""
    args = positional(lowering, node)
    if REFUSED in args:
        return REFUSED
    values = [value_known(lowering, arg) for arg in args]
    if all(type(value) is int for value in values):
        numbers = range(*values)
        if len(numbers) <= 64:
            return range_of(numbers)
    return lowering.bind(Apply("numpy.arange", tuple(args)), node)


def call_set(lowering: Lowering, node: gast.Call) -> Expr | None:
    items = lowering.items(node.args[0], sets=True).known
    if items is None or not all(isinstance(item, Const) for item in items):
        return None
    return set_of(list(items))


def call_dict(lowering: Lowering, node: gast.Call) -> Expr | None:
    """dict(pairs), dict(other, key=value)."""
    found: dict[Any, Expr] = {}
    for arg in node.args:
        value = lowering.read_at_once(by_key(arg))
        note_all_keys(lowering, value)
        known = contents(lowering, value)
        if known is None:
            untold(lowering, value, "name", node)
            lowering.fail("GG244", "the keys must be known here", node, "{...}")
        pairs = (
            pairs_of(lowering, known)
            if known.op == "dict"
            else [_pair(lowering, item, node) for item in known.args]
        )
        for key, item in pairs:
            known_key = value_known(lowering, key)
            if known_key is NO_VALUE or not isinstance(known_key, Hashable):
                lowering.fail("GG244", "a key must be a constant", node, "a list")
            found[known_key] = item
    return new_dict(lowering, found | dict(by_keyword(lowering, node)))


def _pair(lowering: Lowering, item: Expr, node: gast.AST) -> tuple[Expr, Expr]:
    known = contents(lowering, item)
    if known is None or len(known.args) != 2:
        lowering.fail("GG244", "a pair (key, value) is wanted", node, "{...}")
    return known.args[0], known.args[1]


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """An operation; a list of the module's numbers beside an array is one."""
    if value.spelling == "operator" and len(value.args) == 2:
        args = tuple(
            _as_operand(lowering, *pair, node)
            for pair in (value.args, value.args[::-1])
        )
        value = replace(value, args=args)
    return bind.further(lowering, value, node)


def _as_operand(
    lowering: Lowering, one: Expr, other: Expr, node: gast.AST | None
) -> Expr:
    is_list = isinstance(one, Apply) and one.op == "list" and one.args
    if not is_list or not isinstance(other, Ref) or lowering.is_number(other):
        return one
    if contents(lowering, other) is not None or is_list_object(lowering, other):
        return one
    values = value_known(lowering, one)
    if values is NO_VALUE or not all(type(v) in (int, float) for v in values):
        return one
    return lowering.bind(Apply("numpy.array", (one,)), node)


@answers(Lowering.read_at_once)
def read_at_once(lowering: Lowering, node: Any) -> Expr:
    """What is gone through at once: also zip(...), map(...) and the like."""
    if isinstance(node, gast.Call) and id(node) not in lowering.gone_into:
        function = lowering.resolve(node.func)
        if makes_iterator(lowering, function):
            lowering.gone_into.add(id(node))  # comes back where nothing takes it apart
            try:
                found = items_if_known(lowering, node)
            finally:
                lowering.gone_into.discard(id(node))
            if found.known is not None:
                return Apply("tuple", found.known)
            over = gast.Call(func=node.func, args=[node], keywords=[])
            return listed_items(lowering, gast.copy_location(over, node))
    return read_at_once.further(lowering, node)


# how calls of Python's own functions are read
CALLS: dict[str, Callable[[Lowering, Any], Expr | None]] = {
    "all": call_all,
    "any": call_any,
    "dict": call_dict,
    "divmod": call_divmod,
    "list": call_list,
    "max": call_max,
    "min": call_min,
    "range": call_range,
    "reduce": call_reduce,
    "round": call_round,
    "set": call_set,
    "sorted": call_sorted,
}

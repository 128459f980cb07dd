"""Operators of deques, Counters and dictionaries, and what a Counter adds up.

before:  d += [x]; d + e; c.update(a=x); {"a": x} | other
after:   the last items that a deque has room for; c["a"] + x; the items of both
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.control.conditions import binary
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list, refuse_gone_over
from gradgen.frontend.heap.views import changed_in_place
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir import operators
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

COUNTER = Const(collections.Counter)
OF_COUNTERS = {
    "Add": operator.add,
    "Sub": operator.sub,
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
}
WORDS = {op: name for name, op in operators.BINARY.items()}


OF_INTEGERS = {"Add": operator.add, "Sub": operator.sub}


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    left, right = lowering.read(node.left), lowering.read(node.right)
    if REFUSED in (left, right):
        return REFUSED
    found = _of_containers(lowering, type(node.op).__name__, left, right, node)
    if found is not None:
        return found
    one, other = Held(left, node.left), Held(right, node.right)
    made = gast.BinOp(left=one, op=node.op, right=other)
    return binary_operation.further(lowering, gast.copy_location(made, node))


@answers(Lowering.augment)
def augment(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
) -> Expr:
    """d += items, c |= other: the same object, with what the operator gives."""
    if REFUSED in (handle, value) or not isinstance(handle, Ref):
        return augment.further(lowering, handle, op, value, node, name)
    word, more = WORDS.get(op, ""), contents(lowering, value)
    if _is_deque(lowering, handle) and word == "Add" and more is not None:
        more = contents(lowering, lowering.gone_through(value, node))
        if more is not None and more.op != "dict":
            _put_into(
                lowering,
                handle,
                _with_room(lowering, handle, (*_items(lowering, handle), *more.args)),
            )
            return handle
    made = _of_containers(lowering, word, handle, value, node)
    if made is None:
        if _is_bounded(lowering, handle):
            _refuse_operation(
                lowering, node, "a deque with a maxlen", "items known one by one"
            )
        return augment.further(lowering, handle, op, value, node, name)
    known = contents(lowering, made)
    assert known is not None  # what was made of known containers
    _put_into(lowering, handle, known)
    return handle


@answers(Lowering.as_dynamic)
def as_dynamic(lowering: Lowering, buffer: Var, version: Expr) -> Ref:
    """A list as a value of the text's own; a dictionary is none."""
    if isinstance(version, Apply) and version.op == "dict":
        lowering.problem(
            "GG244",
            f"{lowering.known_name(buffer)} gets its keys in a loop or a branch",
            None,
            "each key with a value before: d = {'a': 0.0}",
        )
    return as_dynamic.further(lowering, buffer, version)


def _put_into(lowering: Lowering, handle: Ref, known: Apply) -> None:
    refuse_gone_over(lowering, handle, lowering.frame.node)
    changed_in_place(lowering, handle, known)


def _of_containers(
    lowering: Lowering, word: str, left: Expr, right: Expr, node: gast.AST
) -> Expr | None:
    """left op right, of a deque, a Counter or a dictionary; None for others."""
    both = contents(lowering, left), contents(lowering, right)
    if _is_deque(lowering, left) or _is_deque(lowering, right):
        return _of_deques(lowering, word, left, right, node)
    one, other = both
    if one is None or other is None or not one.op == other.op == "dict":
        return None
    if isinstance(one, Record) or isinstance(other, Record):
        return None
    if COUNTER in (_factory_of(lowering, left), _factory_of(lowering, right)):
        return _of_counters(lowering, word, one, other, node)
    if word != "BitOr":
        _refuse_operation(lowering, node, "this operator of dictionaries", "{**a, **b}")
    items = {getattr(k, "value", None): v for k, v in pairs_of(lowering, one)}
    items |= {getattr(k, "value", None): v for k, v in pairs_of(lowering, other)}
    made = new_dict(lowering, items)
    factory = _factory_of(lowering, left)
    if factory is not None:
        lowering.factories[made.var] = factory
    return made


def _refuse_operation(
    lowering: Lowering, node: gast.AST, what: str, advice: str
) -> None:
    lowering.fail("GG243", f"{what} is not supported here", node, advice)


def _is_deque(lowering: Lowering, handle: Expr) -> bool:
    if not isinstance(handle, Ref) or contents(lowering, handle) is None:
        return False
    return handle.var in lowering.deques


def _is_bounded(lowering: Lowering, handle: Ref) -> bool:
    return lowering.deques.get(lowering.memory.buffer(handle.var)) is not None


def _with_room(lowering: Lowering, handle: Ref, items: tuple[Expr, ...]) -> Apply:
    kept = tuple(collections.deque(items, lowering.deques[handle.var]))
    return Apply("list", kept)


def _of_deques(
    lowering: Lowering, word: str, left: Expr, right: Expr, node: gast.AST
) -> Expr | None:
    first = left if _is_deque(lowering, left) else right
    assert isinstance(first, Ref)
    items: tuple[Expr, ...] | None = None
    if word == "Add" and _is_deque(lowering, left) and _is_deque(lowering, right):
        items = (*_items(lowering, left), *_items(lowering, right))
    elif word == "Mult":
        times = value_known(lowering, right if first is left else left)
        if type(times) is int:
            items = _items(lowering, first) * times
    if items is None:
        _refuse_operation(
            lowering, node, "this operator of a deque", "list(d), and a list"
        )
    assert items is not None
    made = new_list(
        lowering, _with_room(lowering, first, items), wish_of_list(lowering)
    )
    lowering.deques[made.var] = lowering.deques[first.var]
    return made


def _factory_of(lowering: Lowering, handle: Expr) -> Expr | None:
    return lowering.factories.get(handle.var) if isinstance(handle, Ref) else None


def _of_counters(
    lowering: Lowering, word: str, one: Apply, other: Apply, node: gast.AST
) -> Expr | None:
    """What an operator leaves of counts that are known: those above zero."""
    counts = [_known_counts(lowering, one), _known_counts(lowering, other)]
    if word not in OF_COUNTERS or None in counts:
        _refuse_operation(
            lowering,
            node,
            "this operator of Counters, which drops what is not above zero,",
            "c.update(other), c.subtract(other)",
        )
    first, second = (collections.Counter(known) for known in counts)
    found = OF_COUNTERS[word](first, second)
    made = new_dict(lowering, {key: Const(count) for key, count in found.items()})
    lowering.factories[made.var] = COUNTER
    return made


def _known_counts(lowering: Lowering, known: Apply) -> dict[Any, int] | None:
    values = {
        getattr(k, "value", None): value_known(lowering, v)
        for k, v in pairs_of(lowering, known)
    }
    return None if any(type(v) is not int for v in values.values()) else values


@answers(Lowering.method_of_known)
def method_of_known(
    lowering: Lowering,
    handle: Expr,
    known: Apply,
    name: str,
    args: list[Any],
    named: Mapping[str, Expr],
) -> Expr | None:
    is_counter = known.op == "dict" and _factory_of(lowering, handle) == COUNTER
    if is_counter and name in ("update", "subtract") and isinstance(handle, Ref):
        return _added_up(lowering, handle, known, name, args, named)
    found = method_of_known.further(lowering, handle, known, name, args, named)
    if name == "copy" and isinstance(found, Ref) and known.op == "dict":
        factory = _factory_of(lowering, handle)
        if factory is not None:
            lowering.factories[found.var] = factory
    return found


def _added_up(
    lowering: Lowering,
    handle: Ref,
    known: Apply,
    name: str,
    args: list[Any],
    named: Mapping[str, Expr],
) -> Expr | None:
    """c.update({"a": x}), c.update("ab"), c.update(a=x): what is added to each."""
    items = {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
    op = "Add" if name == "update" else "Sub"
    for more in (*args, new_dict(lowering, dict(named))):
        added = _counts_of(lowering, more)
        if added is None:
            return None
        for key, value in added.items():
            old = items.get(key, Const(0))
            items[key] = _sum_of_counts(lowering, op, old, value)
    keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
    changed_in_place(
        lowering, handle, replace(known, args=tuple(items.values()), kwargs=keys)
    )
    return Const(None)


def _sum_of_counts(lowering: Lowering, op: str, old: Expr, value: Expr) -> Expr:
    if old == Const(0) and op == "Add":
        return value
    numbers = value_known(lowering, old), value_known(lowering, value)
    if all(type(one) is int for one in numbers):
        return Const(OF_INTEGERS[op](*numbers))
    return binary(lowering, op, old, value, lowering.frame.node)


def _counts_of(lowering: Lowering, more: Expr) -> dict[Any, Expr] | None:
    if more == Const(None):
        return {}
    known = contents(lowering, more)
    if known is not None and known.op == "dict":
        return {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
    value = value_known(lowering, more)
    if value is NO_VALUE or not isinstance(value, (str, tuple, list)):
        return None
    return {key: Const(n) for key, n in collections.Counter(value).items()}


def _items(lowering: Lowering, handle: Expr) -> tuple[Expr, ...]:
    known = contents(lowering, handle)
    return () if known is None else known.args

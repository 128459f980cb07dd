"""Tuples and lists: known item by item while emitting, or lists of the text's own."""

from __future__ import annotations

import types
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.desugared import entry_of, gridded, indexed
from gradgen.frontend.calls.settings import read_entry
from gradgen.frontend.control.comprehensions import by_key, filled, keyed
from gradgen.frontend.control.starred import spread, starred_list
from gradgen.frontend.heap.chosen import columns, one_of, unlike
from gradgen.frontend.control.assumed_keys import ask_for_key, ask_for_optional
from gradgen.frontend.control.assumed_keys import read_optional, refuse_optional
from gradgen.frontend.heap.cut_lists import part_of_known, written_out
from gradgen.frontend.heap.arguments_changed import held_anew, note_all_keys
from gradgen.frontend.heap.containers import new_dict, no_key, refuse_other_keys, untold
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import is_a_list, joined_lists, new_list, part_of_list
from gradgen.frontend.heap.lists import refuse_gone_over, repeated_list
from gradgen.frontend.heap.outer_values import held, is_long_table
from gradgen.frontend.heap.tables import entry_of_table, is_table
from gradgen.frontend.heap.written_lists import has_axes
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held, each
from gradgen.frontend.lowering.items import named_result
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record, is_structure
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import RESULT_NAMES, getitem
from gradgen.ir.walk import static
from gradgen.shapes.kinds import INTEGRAL, Kind

CHANGES = (
    "append",
    "extend",
    "pop",
    "insert",
    "reverse",
    "remove",
    "clear",
    "sort",
    "update",
    "setdefault",
    "popitem",
    "appendleft",
    "popleft",
    "extendleft",
    "rotate",
    "move_to_end",
    "subtract",
)
OF_DICTS = ("keys", "values", "items", "get")
NONE_TOLD = "an example, which tells how many arguments are given"
BY_KEY = ("get", "pop", "setdefault")
METHODS = (*CHANGES, "copy", "keys", "values", "items", "get", "index", "count")


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    """base[key]."""
    if REFUSED in (base, key):
        return REFUSED
    known = contents(lowering, base)
    if known is not None and known.op in ("tuple", "list", "namedtuple"):
        key = lowering.current(key, node)
        try:
            index = static(key)
        except ValueError:
            index = None
        if isinstance(index, int):
            try:
                read_entry(lowering, base, index, found := known.args[index], node)
                return found
            except IndexError:
                lowering.fail(
                    "GG240",
                    f"there is no item {index} among {len(known.args)}",
                    node,
                    "a number below the length" if known.args else NONE_TOLD,
                )
        if is_slice(key):
            return part_of_known(lowering, base, known, key, node)
    if known is not None and known.op == "dict":
        for name, value in pairs_of(lowering, known):
            if name == key:
                refuse_optional(lowering, base, key, node)
                read_entry(lowering, base, key, value, node)
                return value
        names = [name for name, _ in pairs_of(lowering, known)]
        no_key(lowering, base, key, names, node)
    if lowering.is_dynamic(base) and is_slice(key):
        return part_of_list(lowering, base, key, node)
    if isinstance(key, Const) and isinstance(key.value, str):
        untold(lowering, base, str(key.value), node, by_key=True)
    kind = Kind.COUNT
    if known is not None and isinstance(key, Ref):
        kind = lowering.facts.kind(key)
    if known is not None and kind is Kind.BOOLEAN and len(known.args) > 1:
        return _by_flag(lowering, known, key, node)
    by_place = columns(lowering, known, node) if known is not None else None
    if by_place is not None:
        return Apply("tuple", tuple(lowering.item(c, key, node) for c in by_place))
    if known is not None and not any(map(is_structure, known.args)):
        own = unlike(lowering, known, node)
        if own is not None:
            return lowering.bind(replace(getitem(own, key), spelling="operator"), node)
    if known is not None and kind not in INTEGRAL:
        # True is 1 for a tuple, and a mask for the array that it becomes
        key = lowering.bind(Apply("int", (key,), (), "name:int"), node)
    if known is not None and isinstance(key, Ref) and is_table(known):
        return entry_of_table(lowering, base, known, key, node)
    found = lowering.bind(replace(getitem(base, key), spelling="operator"), node)
    if known is not None and isinstance(found, Ref):
        one_of(lowering, found, known)
    return found


def _by_flag(lowering: Lowering, known: Apply, key: Expr, node: Any) -> Expr:
    """(a, b)[x > 0], which is b if x > 0 else a."""
    parts = [Held(part, node) for part in (known.args[1], known.args[0])]
    chosen = gast.IfExp(test=Held(key, node), body=parts[0], orelse=parts[1])
    return lowering.read(gast.copy_location(chosen, node))


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """One of several results by numpy's name for it, else an attribute."""
    if node.attr in RESULT_NAMES and lowering.constant_of(node) is None:
        value = lowering.read(node.value)
        place = named_result(value, node.attr, lowering.facts)
        if place is not None:
            return lowering.item(value, Const(place), node)
    return attribute.further(lowering, node)


@handles(gast.List)
def list_(lowering: Lowering, node: gast.List) -> Expr:
    made = starred_list(lowering, node)
    if made is not None:
        return made
    items = spread(lowering, node.elts)
    if any(item is REFUSED for item in items):
        return REFUSED
    return new_list(lowering, Apply("list", items), wish_of_list(lowering))


@handles(gast.Tuple)
def tuple_(lowering: Lowering, node: gast.Tuple) -> Expr:
    return Apply("tuple", spread(lowering, node.elts))


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    if isinstance(node.op, gast.Add):
        left, right = lowering.read(node.left), lowering.read(node.right)
        if (
            contents(lowering, left) is not None
            and contents(lowering, right) is not None
        ):
            value = Apply("numpy.add", (left, right), spelling="operator")
            return lowering.sequence_operation(value, node)
        for one, other in ((left, right), (right, left)):
            if lowering.is_dynamic(one) and not has_axes(lowering, other, node):
                return joined_lists(lowering, left, right, node)
        value = Apply("numpy.add", (left, right), spelling="operator")
        return lowering.bind(value, node)
    if isinstance(node.op, gast.Mult):
        left, right = lowering.read(node.left), lowering.read(node.right)
        for one, other in ((left, right), (right, left)):
            if is_a_list(lowering, one) and not has_axes(lowering, other, node):
                return repeated_list(lowering, one, other, node)
        if REFUSED in (left, right):
            return REFUSED
        value = Apply("numpy.multiply", (left, right), spelling="operator")
        return lowering.bind(value, node)
    return binary_operation.further(lowering, node)


@handles(gast.Dict)
def dictionary(lowering: Lowering, node: gast.Dict) -> Expr:
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        name = REFUSED if key is None else lowering.read(key)  # the key comes first
        handle = lowering.read(value)
        if key is None:
            note_all_keys(lowering, handle)
            known = contents(lowering, handle)
            if known is None or known.op != "dict":
                lowering.fail("GG244", "** needs a known dictionary", node, "its items")
            found |= {k.value: v for k, v in pairs_of(lowering, known)}
            continue
        known_key = name if name is REFUSED else value_known(lowering, name)
        if known_key is NO_VALUE or not isinstance(known_key, Hashable):
            told = "a key must be a constant"
            lowering.fail("GG244", told, key, "a list, or an array")
        found[known_key] = handle
    if any(value is REFUSED for value in found.values()):
        return REFUSED
    return new_dict(lowering, found)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    """A method of a list or a dictionary, else None."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "item":
        return entry_of(lowering, node)
    if not isinstance(func, gast.Attribute) or func.attr not in METHODS:
        return None
    if func.attr == "copy" and node.args:
        return None
    if isinstance(lowering.resolve(func.value), (types.ModuleType, type, numpy.ufunc)):
        return None
    handle = lowering.read(func.value)
    if handle is REFUSED:
        return REFUSED
    known = contents(lowering, handle)
    own = lowering.memory.buffer(handle.var) if isinstance(handle, Ref) else None
    is_list = own in lowering.memory.lists
    if known is None and not is_list and func.attr in OF_DICTS:
        ask_for_optional(lowering, handle, node)
        untold(lowering, handle, "name", node)
    if known is None and not is_list or isinstance(known, Record):
        return None
    pairs = func.attr == "update"
    read: list[Any] = [by_key(arg) if pairs else arg for arg in node.args]
    if len(read) == 1 and isinstance(node.args[0], gast.GeneratorExp):
        if func.attr == "extend":
            filled(lowering, read[0], handle)
            return Const(None)
        if isinstance(read[0], gast.DictComp) and not node.keywords:
            keyed(lowering, read[0], held_anew(lowering, handle))
            return Const(None)
    args = [lowering.read_at_once(arg) for arg in read]
    if func.attr in ("extend", "update"):
        args = [lowering.gone_through(arg, node) for arg in args]
    named = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    if REFUSED in (*args, *named.values()):
        return REFUSED
    handle = held_anew(lowering, handle) if func.attr in CHANGES else handle
    known = contents(lowering, handle)  # x.append(x.pop()): as the arguments leave it
    if func.attr == "extend" and len(args) == 1 and _is_gone_over(lowering, args[0]):
        filled(lowering, each(gast.GeneratorExp, Held(args[0], node), node), handle)
        return Const(None)
    if func.attr in CHANGES and isinstance(handle, Ref):
        refuse_gone_over(lowering, handle, node)
    if known is None:
        assert isinstance(handle, Ref)
        return lowering.list_method(handle, func.attr, args, node)
    changed = func.attr in CHANGES and known.op in ("list", "dict")
    if changed and not isinstance(handle, Ref):
        lowering.fail(
            "GG230",
            "a container that is an argument, or of the module, may not be changed",
            node,
            "a list of its items: list(...), or [*...]",
        )
    if known.op == "list" and func.attr == "extend" and len(args) == 1:
        if lowering.is_dynamic(args[0]) and isinstance(handle, Ref):
            lowering.state.versions[handle.var] = lowering.as_dynamic(handle.var, known)
            return lowering.list_method(handle, "extend", args, node)
    if func.attr in BY_KEY and known.op == "dict" and args:
        keys = [getattr(key, "value", None) for key, _ in pairs_of(lowering, known)]
        given = getattr(args[0], "value", None)
        if func.attr == "get":
            chosen = read_optional(lowering, handle, known, args, node)
            if chosen is not None:
                return chosen
        refuse_other_keys(lowering, handle, given, keys, node)
        if func.attr != "get":
            ask_for_key(lowering, handle, given)
    found = lowering.method_of_known(handle, known, func.attr, args, named)
    if found is None and known.op == "dict" and func.attr in BY_KEY and args:
        if value_known(lowering, args[0]) is NO_VALUE:
            told, key = "a key must be a constant", node.args[0]
            lowering.fail("GG244", told, key, "a list, or an array")
    if found is None:
        told = f"this .{func.attr}() is not supported"
        lowering.fail("GG241", told, node, "x.append(y)")
    return found


def _is_gone_over(lowering: Lowering, value: Expr) -> bool:
    """Whether a value is an array, or may be one: no list, and no number."""
    if not isinstance(value, Ref) or lowering.is_number(value):
        return False
    if contents(lowering, value) is not None or lowering.is_dynamic(value):
        return False
    return lowering.facts.rank(lowering.current(value)) != 0


@handles(gast.Subscript)
def subscript(lowering: Lowering, node: gast.Subscript) -> Expr:
    known = lowering.resolve(node.value)
    if known is numpy.s_ or known is numpy.index_exp:
        return lowering.read(node.slice)
    if known is numpy.r_ or known is numpy.c_:
        return indexed(lowering, known, node)
    if known is numpy.mgrid:
        return gridded(lowering, node)
    if is_long_table(known):
        return _item_of_table(lowering, known, node)
    value = lowering.read(node.value)
    key = written_out(lowering.read(node.slice))
    return lowering.item(value, key, node)


def _item_of_table(
    lowering: Lowering, table: dict[Any, Any], node: gast.Subscript
) -> Expr:
    """An item of a long table around the function, of which no more is read."""
    key = lowering.read(node.slice)
    known = value_known(lowering, key)
    if known is NO_VALUE or not isinstance(known, Hashable):
        return lowering.item(lowering.read(node.value), key, node)
    part = {known: table[known]} if known in table else {}
    found = held(lowering, part, node.value, lowering.source.segment(node.value))
    assert found is not None  # a dictionary is taken apart
    return lowering.item(found, key, node)


@answers(Lowering.sequence_operation)
def sequence_operation(lowering: Lowering, value: Apply, node: gast.AST) -> Expr:
    """(a, b) + (c,), or plain arithmetic."""
    left, right = (contents(lowering, arg) for arg in value.args)
    if left is not None and right is not None and value.op == "numpy.add":
        if left.op == right.op:
            both = replace(left, args=(*left.args, *right.args))
            return new_list(lowering, both) if left.op == "list" else both
    return lowering.bind(value, node)

"""Partial evaluation: pure functions and methods of what is known while emitting.

before:  mode = "Sum"; if mode.lower() == "sum": ...
after:   if True: ...

A table tells which functions and methods are pure; nothing else is run.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.calls.arguments import apply
from gradgen.frontend.calls.evaluation import (
    OF_PURE,
    constant_key,
    evaluated,
    evaluated_call,
)
from gradgen.frontend.calls.evaluation import raised, result_of
from gradgen.frontend.control.fallbacks import unless_number
from gradgen.frontend.control.probes import is_entry_of_number, out_of_shape
from gradgen.frontend.control.assumed_keys import ask_for_key, ask_for_none
from gradgen.frontend.control.assumed_keys import optional_member
from gradgen.frontend.heap.arguments_changed import note_key, read_key
from gradgen.frontend.heap.containers import is_assumed, refuse_other_keys
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.frontend.lowering.statics import SetOf, set_of
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref

OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Mod": operator.mod,
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}
# a string of more letters is no table of them in a text
LETTERS = 64


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    found, node = evaluated_call(lowering, node)
    return other_call.further(lowering, node) if found is None else found


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: object) -> bool:
    """Whether a function is read where it is called: re.match is not, written in Python."""
    return id(value) not in OF_PURE and is_called.further(lowering, value)


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    """ "a" + "b", "%d" % 3, {1} | {2}."""
    function = OPERATORS.get(type(node.op).__name__)
    if function is None:
        return binary_operation.further(lowering, node)
    left, right = lowering.read(node.left), lowering.read(node.right)
    if REFUSED in (left, right):
        return REFUSED
    if (
        _is_evaluated(lowering, left)
        or _is_evaluated(lowering, right)
        or (type(node.op).__name__ in ("LShift", "RShift"))
    ):
        found = evaluated(lowering, function, [left, right], [], node)
        if found is not None:
            return found
    op = node.op
    made = gast.BinOp(left=Held(left, node.left), op=op, right=Held(right, node.right))
    return binary_operation.further(lowering, gast.copy_location(made, node))


def _is_evaluated(lowering: Lowering, handle: Expr) -> bool:
    """Whether operators on a value are no operations of the text: a string, a set."""
    value = handle.value if isinstance(handle, Const) else None
    return isinstance(value, str) or isinstance(handle, SetOf)


@handles(gast.Set)
def set_(lowering: Lowering, node: gast.Set) -> Expr:
    items = [lowering.read(item) for item in node.elts]
    if REFUSED in items:
        return REFUSED
    if not all(isinstance(item, Const) for item in items):
        lowering.fail("GG201", "sets of values are not supported", node, "a tuple")
    return set_of(items)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    """s.pop() of a set of one value that is known, and that is empty then."""
    func = node.func
    if getattr(func, "attr", "") != "pop" or node.args or node.keywords:
        return method_call.further(lowering, node)
    handle = lowering.read(func.value) if isinstance(func.value, gast.Name) else None
    if not isinstance(handle, SetOf) or len(handle.args) != 1:
        return method_call.further(lowering, node)
    for name, value in list(lowering.state.names.items()):
        if value is handle:  # it may have several
            lowering.state.names[name] = set_of([])
    return handle.args[0]


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    """ "abc"[0], and what stands in a dictionary under no key."""
    if isinstance(base, Const) and isinstance(base.value, (str, re.Match)):
        if isinstance(base.value, re.Match) and isinstance(key, Const):
            return Const(base.value[key.value])
        found = evaluated(lowering, operator.getitem, [base, key], [], node)
        if found is not None:
            return found
        if isinstance(base.value, str) and REFUSED not in (base, key):
            return lowering.item(_letters(lowering, base.value, key, node), key, node)
    if lowering.trying and out_of_shape(lowering, base, key):
        raised(lowering, IndexError("tuple index out of range"), node)
    if lowering.trying and is_entry_of_number(lowering, base, key):
        raised(lowering, TypeError("a number has no entries"), node)
    if lowering.trying and type(getattr(key, "value", None)) is int:
        unless_number(lowering, base)
    known = contents(lowering, base) if base is not REFUSED else None
    if known is not None and known.op == "dict":
        key = constant_key(lowering, key)
    if known is not None and isinstance(key, Ref):
        value = value_known(lowering, key)
        key = Const(value) if type(value) in (int, str) else key
    if known is not None and isinstance(key, Const) and key is not REFUSED:
        names = [name for name, _ in pairs_of(lowering, known)] if known.kwargs else []
        if known.op == "dict" and key not in names and isinstance(base, Ref):
            if base.var in lowering.factories:
                return _made_for(lowering, base, known, key, node)
        if known.op == "dict" and key not in names and not is_assumed(lowering, base):
            raised(lowering, KeyError(key.value), node)
        if known.op in ("tuple", "list") and type(key.value) is int:
            if not -len(known.args) <= key.value < len(known.args):
                raised(lowering, IndexError("index out of range"), node)
    return item.further(lowering, base, key, node)


def _letters(lowering: Lowering, text: str, key: Expr, node: Any) -> Expr:
    """The letters of a string, one of which is read by a key that is not known here.

    before:  for q in range(n): if pauli[q] != "I": ...
    after:   ("Z", "I")[q] != "I"
    """
    if is_slice(key) or not 0 < len(text) <= LETTERS:
        told = "which part of a string this is, is not known here"
        lowering.fail(
            "GG213", told, node, "letters one by one, or places that are known"
        )
    return Apply("tuple", tuple(map(Const, text)))


def _made_for(
    lowering: Lowering, base: Ref, known: Apply, key: Const, node: Any
) -> Expr:
    """What a defaultdict makes for a key that it has not."""
    made = apply(lowering, lowering.factories[base.var], [], (), node)
    items = {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
    items[key.value] = made
    keys = tuple((str(i), Const(one)) for i, one in enumerate(items))
    changed = Apply("dict", tuple(items.values()), keys)
    lowering.state.versions[base.var] = changed
    lowering.touch(base.var)
    return made


@answers(Lowering.membership)
def membership(
    lowering: Lowering, inside: bool, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    known = contents(lowering, right)
    value, among = value_known(lowering, left), value_known(lowering, right)
    if known is not None and known.op == "dict":
        keys = [getattr(key, "value", None) for key, _ in pairs_of(lowering, known)]
        found = optional_member(lowering, inside, right, value, keys, node)
        if found is not None:
            return found
        refuse_other_keys(lowering, right, value, keys, node)
        ask_for_key(lowering, right, value)
        if value not in keys:
            ask_for_none(lowering, right, value)
        else:
            note_key(lowering, right, value)
            read_key(lowering, right, value, True)
    if value is not NO_VALUE and among is not NO_VALUE:
        found = result_of(lowering, lambda: (value in among) is inside, node)
        assert found is not None
        return found
    if known is not None and known.op == "dict":
        right = Apply("tuple", tuple(key for key, _ in pairs_of(lowering, known)))
        return lowering.membership(inside, left, right, node)
    if known is not None and not isinstance(known, Record):
        if not known.args:
            return Const(not inside)
        right = Apply("tuple", known.args)
    return membership.further(lowering, inside, left, right, node)

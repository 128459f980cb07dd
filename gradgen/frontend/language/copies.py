"""copy.copy and copy.deepcopy: of arrays, numbers, containers and instances."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from typing import NoReturn

import gast

from gradgen.frontend.calls.copied_objects import copy_of_object
from gradgen.frontend.calls.kinds import types_of
from gradgen.frontend.calls.outs import into_out
from gradgen.frontend.control.branches import choose
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held, each
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref

APART = (dataclasses.astuple, dataclasses.asdict)
# functions of Python's library that are known, and whose text is not read
KNOWN = (copy.copy, copy.deepcopy, *APART, inspect.signature, inspect.getfullargspec)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if value is copy.copy and len(node.args) == 1 and not node.keywords:
        return _copied(lowering, lowering.read(node.args[0]), node, None)
    if value is copy.deepcopy and len(node.args) == 1 and not node.keywords:
        return _copied(lowering, lowering.read(node.args[0]), node, {})
    if among(value, APART) and len(node.args) == 1 and not node.keywords:
        return _taken_apart(lowering, lowering.read(node.args[0]), node, value)
    return special_call.further(lowering, value, node)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    """x.tolist(): the number, list(x) of a vector, and of more axes a list of such.

    before:  C.tolist()        after:  [list(one) for one in C]
    """
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "tolist" and not node.args:
        handle = lowering.read(func.value)
        if handle is REFUSED or contents(lowering, handle) is not None:
            return method_call.further(lowering, node)
        if lowering.is_dynamic(handle) or isinstance(handle, Const):
            return method_call.further(lowering, node)
        rank = lowering.facts.rank(lowering.current(handle))
        if rank is None:
            told = "how many axes .tolist() goes through is not known"
            lowering.fail("GG302", told, node, lowering.shape_fact())
        if rank == 0:
            return lowering.item(handle, Apply("tuple", ()), node)
        if rank == 1:
            return _listed(lowering, handle, node)
        made = each(gast.ListComp, Held(handle, node), node)
        row = gast.Attribute(value=made.elt, attr="tolist", ctx=gast.Load())
        made.elt = gast.Call(func=gast.copy_location(row, node), args=[], keywords=[])
        gast.copy_location(made.elt, node)
        return lowering.read(made)
    return method_call.further(lowering, node)


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: object) -> bool:
    known = among(value, KNOWN)
    return not known and is_called.further(lowering, value)


def _copied(
    lowering: Lowering, handle: Expr, node: gast.Call, deep: dict[Expr, Expr] | None
) -> Expr:
    """A container of its own; an array of its own, and a number as it is.

    before:  b = copy.copy(a)         after:  b = a.copy()
             c = copy.deepcopy([a])           c = [a.copy()]

    `deep` has what has been copied by then: what is in two places stays one.
    """
    if handle is REFUSED or isinstance(handle, Const) or lowering.is_number(handle):
        return handle
    if deep is None:
        return _copy_of(lowering, handle, node, None)
    if handle not in deep:
        deep[handle] = _copy_of(lowering, handle, node, deep)
    return deep[handle]


def _copy_of(
    lowering: Lowering, handle: Expr, node: gast.Call, deep: dict[Expr, Expr] | None
) -> Expr:
    known = contents(lowering, handle)
    if isinstance(known, Record):

        def part(item: Expr) -> Expr:
            return _copied(lowering, item, node, deep)

        instance = copy_of_object(lowering, handle, known, deep, part, node)
        return _no_copy(lowering, node) if instance is None else instance
    if known is not None:
        items = known.args
        if deep is not None:
            items = tuple(_copied(lowering, item, node, deep) for item in items)
        if known.op == "list":
            made_list = new_list(lowering, Apply("list", items))
            return _of_one_kind(lowering, handle, made_list)
        if known.op == "dict":
            keys = (getattr(key, "value", None) for key, _ in pairs_of(lowering, known))
            made_dict = new_dict(lowering, dict(zip(keys, items)))
            return _of_one_kind(lowering, handle, made_dict)
        return Apply(known.op, items, known.kwargs)
    if lowering.is_dynamic(handle):
        if deep is not None:
            _no_copy(lowering, node)
        return _of_one_kind(lowering, handle, _listed(lowering, handle, node))
    if lowering.memory.is_optional(handle):
        _no_copy(lowering, node)

    def made() -> Expr:
        return lowering.bind(Apply("numpy.copy", (handle,)), node)

    if not _may_be_left_out(lowering, handle):
        return made()
    test = lowering.bind(Apply("is", (handle, Const(None)), (), "operator"), node)
    none = Const(None, "None")
    now = lowering.current(test, node)
    return choose(lowering, now, lambda: none, made, "copied", lowering.note)


def _of_one_kind(lowering: Lowering, handle: Expr, made: Expr) -> Expr:
    """The copy, a deque of as many entries or with what a defaultdict makes."""
    if isinstance(handle, Ref) and isinstance(made, Ref):
        old, new = (lowering.memory.buffer(one.var) for one in (handle, made))
        if old in lowering.deques:
            lowering.deques[new] = lowering.deques[old]
        if handle.var in lowering.factories:
            lowering.factories[made.var] = lowering.factories[handle.var]
    return made


def _may_be_left_out(lowering: Lowering, handle: Expr) -> bool:
    """Whether it is a parameter whose default is None, and of which nothing tells."""
    if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
        return False
    default = lowering.root.source.defaults.get(handle.var.name, handle)
    return default is None and types_of(lowering, handle) is None


def _listed(lowering: Lowering, handle: Expr, node: gast.Call) -> Expr:
    made = gast.Call(Held(Const(list), node), [Held(handle, node)], [])
    return lowering.read(gast.copy_location(made, node))


def _taken_apart(
    lowering: Lowering, handle: Expr, node: gast.Call, way: object
) -> Expr:
    """The fields of a dataclass, and those of what they hold, as copies.

    before:  p = dataclasses.astuple(Point(x, y))
    after:   p = (x.copy(), y.copy())
    """
    known = None if handle is REFUSED else contents(lowering, handle)
    if known is None:
        return _copied(lowering, handle, node, {})
    parts = [_taken_apart(lowering, one, node, way) for one in known.args]
    names = [getattr(key, "value", None) for _, key in known.kwargs]
    if isinstance(known, Record) and known.op != "namedtuple":
        if not dataclasses.is_dataclass(known.cls):
            _no_copy(lowering, node)
        held = dict(zip(names, parts))
        own = {one.name: held[one.name] for one in dataclasses.fields(known.cls)}
        if way is dataclasses.astuple:
            return Apply("tuple", tuple(own.values()))
        return new_dict(lowering, own)
    if known.op == "dict":
        return new_dict(lowering, dict(zip(names, parts)))
    made = dataclasses.replace(known, args=tuple(parts))
    return new_list(lowering, made) if known.op == "list" else made


def _no_copy(lowering: Lowering, node: gast.Call) -> NoReturn:
    lowering.fail("GG205", "this copy has no rule", node, "x.copy() of its arrays")


@answers(Lowering.method_call)
def method_with_out(lowering: Lowering, node: gast.Call) -> Expr | None:
    """y.cumsum(out=c): as a function's; a method of a container, else None."""
    if any(keyword.arg == "out" for keyword in node.keywords):
        return into_out(lowering, node)
    return method_with_out.further(lowering, node)

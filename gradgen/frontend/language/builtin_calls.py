"""sum, len, min, list, dict and slice of what is known; out= of any function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.calls.desugared import along_axis, piecewise
from gradgen.frontend.calls.distinct import distinct
from gradgen.frontend.calls.evaluation import raised
from gradgen.frontend.calls.outs import into_out, with_out
from gradgen.frontend.calls.own_names import own_names
from gradgen.frontend.calls.protocols import length_of
from gradgen.frontend.control.branches import unless_none
from gradgen.frontend.control.at_once import summed_at_once
from gradgen.frontend.control.comprehensions import is_builtin, listed_items, summed
from gradgen.frontend.control.comprehensions import summed_list
from gradgen.frontend.control.conditions import binary
from gradgen.frontend.control.zipping import items_if_known
from gradgen.frontend.heap.arguments_changed import note_length
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_object
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Apply, Const, Expr


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """A call that stands for something else than one operation, else None."""
    if any(keyword.arg == "out" for keyword in node.keywords):
        return into_out(lowering, node)
    if value is sum and node.args:
        return _sum(lowering, node)
    if value is slice and not node.keywords and 1 <= len(node.args) <= 3:
        return _slice(lowering, node)
    stored = with_out(value, node)
    if stored is not None:
        return into_out(lowering, stored)
    if (value is min or value is max) and not node.keywords:
        which = min if value is min else max
        made = unless_none(lowering, node, lambda: _extreme(lowering, which, node))
        if made is not None:
            return made
    if (value is list or value is tuple) and len(node.args) == 1:
        items = items_if_known(lowering, node.args[0])
        if items.known is None:
            listed = listed_items(lowering, node)
            known = contents(lowering, listed) if listed is not REFUSED else None
            is_known = value is tuple and known is not None and known.op == "list"
            return Apply("tuple", known.args) if known and is_known else listed
        made = Apply("list" if value is list else "tuple", items.known)
        return new_list(lowering, made) if value is list else made
    if (value is list or value is tuple) and not (node.args or node.keywords):
        none = Apply("list" if value is list else "tuple", ())
        return new_list(lowering, none) if value is list else none
    if value is dict and not node.args:
        return new_dict(lowering, dict(by_keyword(lowering, node)))
    if value is locals and not node.args and not node.keywords:
        names = own_names(lowering, node)
        return None if names is None else new_dict(lowering, names)
    if value is len and len(node.args) == 1:
        handle = lowering.read(node.args[0])
        known = contents(lowering, handle)
        if known is not None:
            if is_object(known):
                return length_of(lowering, handle, known, node)
            note_length(lowering, handle)
            return Const(len(known.args))
        if isinstance(handle, Const) and isinstance(handle.value, str):
            return handle if handle is REFUSED else Const(len(handle.value))
        if lowering.trying and lowering.facts.rank(handle) == 0:
            raised(lowering, TypeError("a number has no len()"), node)
    if value is numpy.piecewise:
        return piecewise(lowering, node)
    if value is numpy.apply_along_axis:
        return along_axis(lowering, node)
    if value is numpy.unique and node.keywords:
        found = distinct(lowering, node)
        if found is not None:
            return found
    return special_call.further(lowering, value, node)


def _sum(lowering: Lowering, node: gast.Call) -> Expr:
    given = [*node.args[1:], *(k.value for k in node.keywords if k.arg == "start")]
    start = lowering.read(given[0]) if given else Const(0)
    if isinstance(node.args[0], gast.GeneratorExp):
        whole = summed_at_once(lowering, node.args[0]) if start == Const(0) else None
        if whole is not None:
            return whole
        return summed(lowering, node.args[0], start)
    if is_builtin(lowering, node.args[0], map):
        return summed_list(lowering, node.args[0], start, node)
    items = lowering.gone_through(lowering.read_at_once(node.args[0]), node)
    if REFUSED in (items, start):
        return REFUSED
    known = contents(lowering, items)
    if known is None:
        return summed_list(lowering, items, start, node)
    total = start
    for item in _each_of(lowering, known):
        total = binary(lowering, "Add", total, item, node)
    return total


def _each_of(lowering: Lowering, known: Apply) -> list[Expr]:
    """What going through a container gives: of a dictionary its keys."""
    if known.op == "dict":
        return [key for key, _ in pairs_of(lowering, known)]
    return list(known.args)


def _slice(lowering: Lowering, node: gast.Call) -> Expr:
    """slice(a, b), slice(a, b, c)."""
    parts = [lowering.read(arg) for arg in node.args]
    if REFUSED in parts:
        return REFUSED
    if len(parts) == 1:
        parts = [Const(None), *parts]
    return Apply("slice", (*parts, Const(None))[:3])


def _extreme(
    lowering: Lowering, function: Callable[..., Any], node: gast.Call
) -> Expr | None:
    """min(a, b), max(items) of known items; None for other arguments."""
    if len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp):
        return None
    args = positional(lowering, node)
    if len(args) == 1:
        known = contents(lowering, lowering.gone_through(args[0], node))
        if known is None or len(known.args) < 2:
            return None
        args = _each_of(lowering, known)
    if all(isinstance(arg, Const) and type(arg.value) is int for arg in args):
        best = function(args, key=lambda arg: getattr(arg, "value"))
        return best if best.dtype else Const(best.value)
    op = "numpy.minimum" if function is min else "numpy.maximum"
    value = args[0]
    for other in args[1:]:
        if REFUSED in (value, other):
            return REFUSED
        spelled = f"name:{function.__name__}"
        value = lowering.bind(Apply(op, (value, other), (), spelled), node)
    return value

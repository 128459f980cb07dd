"""Tests of what an argument is: isinstance, type, hasattr, callable, dtypes.

What is surely known decides them; else the text asks, as the function does.
"""

from __future__ import annotations

import collections.abc
import numbers
import types
from typing import Any, Union, get_origin

import gast
import numpy

from gradgen.frontend.calls.evaluation import handle_of
from gradgen.frontend.calls.kinds import (
    class_of,
    has_a_name,
    instance_test,
    note_array,
    note_kind,
    note_no_instance,
    types_of,
)
from gradgen.frontend.calls.settings import read_class
from gradgen.frontend.control.branches import choose
from gradgen.frontend.heap.module_parts import has_part
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.holding import Anything
from gradgen.frontend.source.lookup import among, behind_typing
from gradgen.frontend.source.names import NO_VALUE, canonical
from gradgen.frontend.source.stand_ins import surely_none
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.strong import number_of


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    count = len(node.args)
    if value is isinstance and count == 2:
        return _isinstance(lowering, lowering.read(node.args[0]), node)
    if value is type and count == 1:
        return _type(lowering, lowering.read(node.args[0]), node)
    if value is hasattr and count == 2:
        name = value_known(lowering, lowering.read(node.args[1]))
        if isinstance(name, str):
            return _hasattr(lowering, lowering.read(node.args[0]), name, node)
    if value is getattr and count in (2, 3):
        return _getattr(lowering, node)
    if value is surely_none and count == 1:
        return Const(lowering.read(node.args[0]) == Const(None))
    if value is callable and count == 1:
        return _callable(lowering, lowering.read(node.args[0]), node)
    if among(value, (numpy.isscalar, numpy.iterable)) and count == 1:
        return _asked(lowering, value, lowering.read(node.args[0]), node)
    if among(value, (numpy.ndim, numpy.size)) and count == 1 and not node.keywords:
        handle = lowering.read(node.args[0])
        if lowering.memory.is_optional(handle):
            return _of_optional(lowering, value, handle, node)
        if getattr(contents(lowering, handle), "op", "") == "dict":
            return Const(0 if value is numpy.ndim else 1)  # of an array of one object
        held = Held(handle, node.args[0])
        made = gast.Call(func=node.func, args=[held], keywords=[])
        node = gast.copy_location(made, node)
    return special_call.further(lowering, value, node)


def _of_optional(
    lowering: Lowering, function: Any, handle: Expr, node: gast.Call
) -> Expr:
    """np.ndim(x) and np.size(x) of what may be None: 0, and 1."""
    test = Apply("is", (handle, Const(None)), (), "operator")
    asked = Apply(f"numpy.{function.__name__}", (handle,))
    return choose(
        lowering,
        lowering.current(lowering.bind(test, node), node),
        lambda: Const(function(None)),
        lambda: lowering.bind(asked, node),
        function.__name__,
        lowering.note,
    )


def _isinstance(lowering: Lowering, handle: Expr, node: gast.Call) -> Expr:
    if handle is REFUSED:
        return REFUSED
    classes = _classes_at(lowering, node.args[1])
    if classes is None:
        lowering.fail(
            "GG251",
            "the classes of this isinstance are not known here",
            node,
            "a class by its name",
        )
    known = types_of(lowering, handle)
    if known is not None and {list, tuple} & {*classes}:
        note_array(lowering, handle)  # no entry of one is any of these
    if known is not None:
        answers = {issubclass(one, classes) for one in known}
        if len(answers) == 1:
            read_class(lowering, handle, known[0])
            return Const(_noted(lowering, handle, classes, answers.pop()))
    named = [one for one in classes if has_a_name(one)]
    if not named:
        what = " or ".join(one.__name__ for one in classes)
        lowering.decided(f"{lowering.source.segment(node.args[0])} is no {what}")
        for one in classes:
            note_no_instance(lowering, handle, one)
        return Const(False)
    return lowering.bind(instance_test(lowering, handle, named), node)


def _noted(
    lowering: Lowering, handle: Expr, classes: tuple[type, ...], answer: bool
) -> bool:
    """The answer, which the text looks at where the classes have names in it."""
    named = [one for one in classes if has_a_name(one)]
    if isinstance(handle, Ref) and named and (not answer or len(named) == len(classes)):
        note_kind(lowering, handle, instance_test(lowering, handle, named), answer)
    return answer


def _classes_at(lowering: Lowering, node: gast.AST) -> tuple[type, ...] | None:
    """The classes that a node names: `int | np.floating`, `(list, int | float)`."""
    parts: list[Any] | None = None
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
        parts = [node.left, node.right]
    elif isinstance(node, gast.Tuple):
        parts = node.elts
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
        parts = [node.left, node.right]  # float | None, as isinstance takes it
    if isinstance(node, gast.Constant) and node.value is None:
        return (type(None),)
    if parts is None:
        named = lowering.resolve(node)
        if named is not NO_VALUE and not isinstance(named, (type, tuple)):
            return _classes(lowering, named)  # typing.Sequence, Union[int, float]
        if isinstance(node, gast.Attribute):
            base = lowering.resolve(node.value)
            held = vars(base).get(node.attr) if hasattr(base, "__dict__") else None
            if isinstance(held, type):
                return (held,)  # registry.Quantity, which an instance has
        return _classes(lowering, value_known(lowering, lowering.read(node)))
    every = [_classes_at(lowering, part) for part in parts]
    if any(found is None for found in every):
        return None
    return tuple(cls for found in every if found for cls in found)


def _classes(lowering: Lowering, value: Any) -> tuple[type, ...] | None:
    """The classes that isinstance is asked for, unions and tuples taken apart."""
    if isinstance(value, types.UnionType) or get_origin(value) is Union:
        value = value.__args__
    value = behind_typing(value)
    if isinstance(value, type):
        return (value,)
    if isinstance(value, tuple):
        found = [_classes(lowering, one) for one in value]
        if all(one is not None for one in found):
            return tuple(cls for one in found if one for cls in one)
    return None


def _type(lowering: Lowering, handle: Expr, node: gast.Call) -> Expr:
    if handle is REFUSED:
        return REFUSED
    known = types_of(lowering, handle)
    if known is not None and len(known) == 1:
        cls = known[0]
        if has_a_name(cls):
            own = Apply("type", (handle,), (), "name:type")
            same = Apply("is", (own, class_of(lowering, cls)), (), "operator")
            note_kind(lowering, handle, same, True)
        note_array(lowering, handle)
        return Const(cls, canonical(cls, cls.__name__))
    return lowering.bind(Apply("type", (handle,), (), "name:type"), node)


def _hasattr(lowering: Lowering, handle: Expr, name: str, node: gast.Call) -> Expr:
    if handle is REFUSED:
        return REFUSED
    if isinstance(handle, Const):
        return Const(has_part(lowering, number_of(handle), name, node))
    found = _has(lowering, handle, name)
    test = Apply("hasattr", (handle, Const(name)), (), "name:hasattr")
    return lowering.bind(test, node) if found is None else Const(found)


def _has(lowering: Lowering, handle: Expr, name: str) -> bool | None:
    """Whether a value has an attribute, where that is known."""
    if isinstance(handle, Record):
        fields = [getattr(key, "value", "") for key, _ in pairs_of(lowering, handle)]
        if handle.cls is Anything:
            return True if name in fields else None
        return name in fields or hasattr(handle.cls, name)
    known = types_of(lowering, handle)
    answers = {hasattr(one, name) for one in known or ()}
    if len(answers) != 1:
        return None
    test = Apply("hasattr", (handle, Const(name)), (), "name:hasattr")
    note_kind(lowering, handle, test, has := answers.pop())
    return has


def _getattr(lowering: Lowering, node: gast.Call) -> Expr:
    owner = lowering.resolve(node.args[0])
    base = Const(owner) if owner is not NO_VALUE else lowering.read(node.args[0])
    name = value_known(lowering, lowering.read(node.args[1]))
    if base is REFUSED:
        return REFUSED
    if not isinstance(name, str):
        lowering.fail("GG206", "the name of the attribute is not known", node, "x.name")
    value = getattr(owner, name, NO_VALUE) if owner is not NO_VALUE else NO_VALUE
    if value is not NO_VALUE:
        found = handle_of(lowering, value)
        if found is not None:
            return found
    made = gast.Attribute(value=Held(base, node), attr=name, ctx=gast.Load())
    gast.copy_location(made, node)
    if len(node.args) == 2:
        return lowering.read(made)
    has = _has(lowering, base, name)
    if has is not None:
        return lowering.read(made if has else node.args[2])
    test = Apply("hasattr", (base, Const(name)), (), "name:hasattr")
    return choose(
        lowering,
        lowering.current(lowering.bind(test, node), node),
        lambda: lowering.read(made),
        lambda: lowering.read(node.args[2]),
        name,
        lowering.note,
    )


def _callable(lowering: Lowering, handle: Expr, node: gast.Call) -> Expr:
    if handle is REFUSED:
        return REFUSED
    if isinstance(handle, Const):
        return Const(callable(handle.value))
    known = types_of(lowering, handle)
    if known is not None:
        return Const(False)
    return lowering.bind(Apply("callable", (handle,), (), "name:callable"), node)


def _asked(
    lowering: Lowering, function: Any, handle: Expr, node: gast.Call
) -> Expr | None:
    """np.isscalar(x), np.iterable(x)."""
    if handle is REFUSED:
        return REFUSED
    known = types_of(lowering, handle)
    if function is numpy.iterable and numpy.ndarray in (known or ()):
        if not lowering.facts.rank(lowering.current(handle)):  # of rank 0 it is not
            known = None
    answers = set()
    for one in known or ():
        scalar = issubclass(one, (numpy.generic, numbers.Number, str, bytes))
        several = issubclass(one, collections.abc.Iterable)
        answers.add(scalar if function is numpy.isscalar else several)
    if len(answers) == 1:
        test = Apply(f"numpy.{function.__name__}", (handle,))
        note_kind(lowering, handle, test, answer := answers.pop())
        return Const(answer)
    return lowering.bind(Apply(f"numpy.{function.__name__}", (handle,)), node)


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """What an annotation, a function or a class is asked for."""
    if node.attr == "__args__":
        every = _classes(
            lowering, getattr(lowering.resolve(node.value), "__args__", None)
        )
        if every is not None:
            return Apply("tuple", tuple(class_of(lowering, one) for one in every))
    if node.attr in ("__name__", "__module__"):
        value = lowering.resolve(node.value)
        if isinstance(node.value, gast.Call):
            value = getattr(lowering.read(node.value), "value", NO_VALUE)
            value = value if isinstance(value, type) else NO_VALUE
        name = getattr(value, node.attr, None)
        if value is not NO_VALUE and isinstance(name, str):
            return Const(name)
        base = lowering.read(node.value) if _asks_a_type(lowering, node.value) else None
        if isinstance(base, Ref) and lowering.made_by(base) == "type":
            spelling = f"attribute:{node.attr}"  # the text asks it, in a message
            return lowering.bind(Apply("of_dtype", (base,), (), spelling), node)
    return attribute.further(lowering, node)


def _asks_a_type(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression is type(x) or x.__class__, or a name that may be one's."""
    if isinstance(node, gast.Attribute):
        return node.attr == "__class__"
    if isinstance(node, gast.Call):
        return lowering.resolve(node.func) is type
    return isinstance(node, gast.Name) and lowering.is_local(node.id)

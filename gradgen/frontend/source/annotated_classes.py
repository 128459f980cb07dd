"""Arguments that are annotated with a class: what its text tells of an instance.

before:  def turned(self, element: Element, x): return x * math.cos(element.mu)
after:   (element is an object, and its mu an argument)
"""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Collection, Mapping
from typing import Any, TypeGuard

import gast

from gradgen.frontend.source.classes import held_of_class
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.lookup import is_method, looked_up
from gradgen.frontend.source.reach import is_users_class
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.tested import tested

# what an array of some library has, which counts as one here
OF_ARRAYS = (
    "__array__ __array_function__ __array_ufunc__ __torch_function__ shape dtype"
)
# classes whose instances are no objects: records, dictionaries, members
OTHERS = tuple, dict, list, enum.Enum, BaseException
# the class of a method's instance
OWN = "self.__class__", "type(self)"
# __neg__, and __mul__, __rmul__ and __imul__ for all operators of Python's
OPERATORS = (
    "__neg__",
    *(
        f"__{way}{plain[2:]}"
        for plain in vars(operator)
        if f"__i{plain[2:]}" in vars(operator)
        for way in ("", "r", "i")
    ),
)


def classes_annotated(source: Source) -> dict[str, type]:
    """The classes of the arguments that are annotated with one of the user's."""
    known: Mapping[str, Any] = getattr(source.function, "__annotations__", {})
    found = {}
    for name in source.parameters:
        told = known.get(name)
        cls = source.globals.get(told) if isinstance(told, str) else told
        if _is_of_objects(cls):
            found[name] = cls
    return classes_tested(source) | found


def classes_tested(source: Source) -> dict[str, type]:
    """The classes of the user's without which of an argument the function raises.

    before:  if not isinstance(other, self.__class__): raise TypeError
    """
    found = {}
    for name, node in tested(source.node):
        cls = source.globals.get(getattr(node, "id", ""))
        if source.receiver is not None and gast.unparse(node) in OWN:
            cls = source.receiver.cls
        if name not in dict(source.objects) and _is_of_objects(cls):
            found[name] = cls
    return found


def held_by_annotation(source: Source, cls: type) -> Held:
    """What the function reads of an instance of a class, as far as its text tells."""
    beside = () if source.receiver is None else (source.receiver.cls,)
    return held_of_class(cls, source.function, beside=beside)


def with_methods(source: Source, wrt: Collection[str]) -> tuple[tuple[str, Held], ...]:
    """The objects of a source, with the arguments that methods of their classes are of.

    before:  element.matrix() @ x, of an element: Element; 2 * v, of a v: Vector
    after:   (element is an object, with what its method reads, and so is v)
    """
    known = classes_annotated(source)
    found = {
        name: held_by_annotation(source, cls)
        for name, cls in classes_tested(source).items()
        if name not in wrt
    } | dict(source.objects)
    for node in gast.walk(source.node):
        func = node.func if isinstance(node, gast.Call) else None
        if isinstance(func, gast.Attribute):
            operands, methods = [func.value], [func.attr]
        elif isinstance(node, (gast.BinOp, gast.AugAssign, gast.UnaryOp)):
            sides = ("left", "right", "operand", "target", "value")
            parts = [getattr(node, side, None) for side in sides]
            operands = [part for part in parts if part is not None]
            methods = list(OPERATORS)
        else:
            continue
        for name in (getattr(one, "id", None) for one in operands):
            if name in known and name not in {*found, *wrt}:
                if any(is_method(looked_up(known[name], one)) for one in methods):
                    found[name] = held_by_annotation(source, known[name])
    return tuple(found.items())


def _is_of_objects(cls: Any) -> TypeGuard[type]:
    if not isinstance(cls, type) or not is_users_class(cls):
        return False
    if issubclass(cls, OTHERS) or dataclasses.is_dataclass(cls):
        return False
    return not any(hasattr(cls, name) for name in OF_ARRAYS.split())

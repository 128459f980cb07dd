"""Tests that an argument, or what an instance holds, is another value than a text's."""

from __future__ import annotations

import enum
import inspect
import types
from typing import Any

import numpy

from gradgen.frontend.calls.default_texts import is_dtype, name_of
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.source.names import canonical
from gradgen.ir.nodes import Apply, Const, Expr

# values that are one object each
SINGLE = (bool, type(None), type(...))
PLAIN = (str, bytes, int, float)


def differs(value: Expr, known_as: Any) -> Expr | None:
    """The test that a value is another than this one; None where no text tells."""
    if isinstance(value, Apply) and value.op == "hasattr":
        return Apply("not", (value,), (), "operator") if known_as else value
    if isinstance(value, Apply) and value.op == "in":
        return Apply("not_in", value.args, (), "operator") if known_as else value
    if isinstance(known_as, numpy.generic):  # type(p.n) is not np.int64 or p.n != 3
        return another_number(
            value, type(known_as), unequal(value, Const(known_as.item()))
        )
    if isinstance(known_as, (tuple, list)):
        items = tuple(map(Const, known_as))
        return unequal(value, Apply(type(known_as).__name__, items))
    if isinstance(known_as, SINGLE):
        return Apply("is_not", (value, Const(known_as)), (), "operator")
    if isinstance(known_as, enum.Enum):
        if isinstance(known_as, (str, int)):  # and equal to its own word
            return unequal(value, Const(known_as.value))
        return unequal(field_of(value, "name"), Const(known_as.name))
    if isinstance(known_as, PLAIN):
        return unequal(value, Const(known_as))
    if isinstance(known_as, slice):
        bounds = known_as.start, known_as.stop, known_as.step
        return unequal(
            value, Apply("slice", tuple(map(Const, bounds)), (), "name:slice")
        )
    if is_dtype(known_as) or isinstance(known_as, numpy.dtype):
        return unequal(value, Const(known_as.type, canonical(known_as.type, "")))
    if isinstance(known_as, Partial):  # a method that an instance holds
        known_as = known_as.function
    name = name_of(known_as)
    if name != "None":
        given = Const(known_as, name)
        if isinstance(known_as, type):  # a dtype is equal to its class
            return unequal(value, given)
        return Apply("is_not", (value, given), (), "operator")
    if isinstance(known_as, (type, types.FunctionType, types.BuiltinFunctionType)):
        name, whole = known_as.__name__, known_as.__qualname__
        if isinstance(known_as, type) or whole == name or "<locals>" in whole:
            return unequal(field_of(value, "__name__"), Const(name))
        return unequal(field_of(value, "__qualname__"), Const(whole))
    return None


def has_no_name(value: Any) -> bool:
    """Whether a function's name does not tell it from others: a lambda's, and a closure's.

    before:  {"square": lambda z: z**2, "cube": lambda z: z**3}       act of make(2.0)
    """
    if not isinstance(value, types.FunctionType):
        return False
    own = inspect.unwrap(value)
    if not isinstance(own, types.FunctionType):
        return False
    return own.__name__ == "<lambda>" or bool(own.__closure__)


def field_of(value: Expr, name: str, spelling: str = "") -> Expr:
    """value.name, or what else is asked of a value: str(value)."""
    return Apply("field", (value,), (), spelling or f"attribute:{name}")


def unequal(one: Expr, other: Expr) -> Expr:
    """one != other"""
    return Apply("numpy.not_equal", (one, other), (), "operator")


def another_number(value: Expr, cls: type, another: Expr) -> Expr:
    """The test that a number is of another class, or another one."""
    kind = Apply("type", (value,), (), "name:type")
    own = Const(cls, canonical(cls, cls.__name__))
    other = Apply("is_not", (kind, own), (), "operator")
    return Apply("or", (other, another), (), "operator")

"""Whether a function tells apart values that are equal: 1, True and 1.0."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import gast

from gradgen.frontend.calls.differing import another_number, unequal
from gradgen.ir.nodes import Apply, Const, Ref

ASKED = ("isinstance", "type", "issubclass", "repr", "str", "format")
IDENTITY = (gast.Is, gast.IsNot)
# what computes with True as with 1
COMPUTING = (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.keyword)
TESTED = (gast.If, gast.IfExp, gast.While, gast.Assert)


def is_other(given: Ref, value: Any, node: gast.FunctionDef, name: str) -> Apply:
    """The test that an argument is another value than this one, which is plain.

    before:  x ** k          x[k]                     isinstance(k, bool)
    after:   k != 1          k is True or k != 1      type(k) is not int or k != 1

    x[True] is no row of x.
    """
    test = unequal(given, Const(value))
    assert isinstance(test, Apply)
    if not isinstance(value, (bool, int, float)) or value not in (0, 1):
        asked = isinstance(value, (int, float)) and asks_type(node, name)
        return _of_class(given, value, test) if asked else test
    if asks_type(node, name):
        return _of_class(given, value, test)
    if isinstance(value, float) or not _is_place(node, name):
        return test
    if isinstance(value, bool):
        return Apply("is_not", (given, Const(value)), (), "operator")
    is_bool = Apply("is", (given, Const(bool(value))), (), "operator")
    return Apply("or", (is_bool, test), (), "operator")


def _of_class(given: Ref, value: Any, test: Apply) -> Apply:
    if isinstance(value, bool):
        return Apply("is_not", (given, Const(value)), (), "operator")
    made = another_number(given, type(value), test)
    assert isinstance(made, Apply)
    return made


def asks_type(node: gast.FunctionDef, name: str) -> bool:
    """Whether a function asks of what class an argument is: k is True, type(k) is int."""
    return any(_asks(parent) for parent in _parents(node, name))


def _asks(parent: gast.AST) -> bool:
    if isinstance(parent, gast.Compare):
        return any(isinstance(one, IDENTITY) for one in parent.ops)
    called = parent.func if isinstance(parent, gast.Call) else None
    return isinstance(called, gast.Name) and called.id in ASKED


def _is_place(node: gast.FunctionDef, name: str) -> bool:
    """Whether something may be read at an argument, where True is no 1."""
    for parent in _parents(node, name):
        if isinstance(parent, (*COMPUTING, *TESTED)):
            continue
        if isinstance(parent, gast.Call):
            called = parent.func
            plain = isinstance(called, gast.Name) and hasattr(builtins, called.id)
            if plain or isinstance(called, gast.Attribute):
                continue
        return True
    return False


def _parents(node: gast.FunctionDef, name: str) -> Iterator[gast.AST]:
    """What an argument is read in, each time."""
    for parent in gast.walk(node):
        for child in gast.iter_child_nodes(parent):
            is_read = isinstance(child, gast.Name) and child.id == name
            if is_read and isinstance(child.ctx, gast.Load):
                yield parent

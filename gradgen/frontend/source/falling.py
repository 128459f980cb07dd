"""Functions that return a value by one way, and fall off their end by another.

before:  if n > 2:            after:  if n > 2:
             return x * n                 return x * n
                                      return None
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
JUMPS = (gast.Return, gast.Raise)


def ended(body: list[Any]) -> list[Any]:
    """The statements of a function, with the `return None` of its end where it matters."""
    if _ends(body) or not any(_gives(node) for node in body):
        return body
    last = gast.copy_location(gast.Return(value=None), body[-1])
    return [*body, last]


def raising(node: gast.FunctionDef) -> list[Any]:
    """The statements of a function, with an exception where it would return nothing.

    before:  if x > 0:            after:  if x > 0:
                 return x                     return x
                                          raise ValueError("f returns nothing here")
    """
    body = node.body
    if _ends(body) or not any(_gives(one) for one in body):
        return body
    told = gast.Constant(f"{node.name} returns nothing here", None)
    kind = gast.Name("ValueError", gast.Load(), None, None)
    last = gast.Raise(gast.Call(kind, [told], []), None)
    for part in gast.walk(last):
        gast.copy_location(part, body[-1])
    return [*body, last]


def falls_by_kinds(node: gast.FunctionDef) -> bool:
    """Whether a function returns nothing for other words or other kinds of arguments alone.

    before:  if isinstance(x, np.ndarray): return x     True
             if op == "add": return x                    True
             if x > 0: return x                          False
    """
    last = node.body[-1]
    return isinstance(last, gast.If) and all(map(_asks_kind, _falling(last)))


def _falling(node: gast.If) -> Iterator[gast.AST]:
    """The tests for whose other answers a branch, the last of a function, goes on."""
    for arm in (node.body, node.orelse):
        if not arm or not _ends(arm) and not isinstance(arm[-1], gast.If):
            yield node.test
        elif isinstance(arm[-1], gast.If) and not _ends(arm):
            yield from _falling(arm[-1])


def _asks_kind(test: gast.AST) -> bool:
    """Whether a test asks what kind of object something is, or which word."""
    if isinstance(test, gast.UnaryOp):
        return _asks_kind(test.operand)
    if isinstance(test, gast.BoolOp):
        return all(map(_asks_kind, test.values))
    if isinstance(test, gast.Call):
        return getattr(test.func, "id", "") == "isinstance"
    if not isinstance(test, gast.Compare):
        return False
    sides = [test.left, *test.comparators]
    words = [
        one
        for side in sides
        for one in (getattr(side, "elts", None) or [side])
        if isinstance(one, gast.Constant)
    ]
    return bool(words) and all(isinstance(one.value, str) for one in words)


def with_rest(node: gast.If, rest: list[Any]) -> tuple[tuple[list[Any], ...], bool]:
    """The arms of a branch, one with the statements behind it, and whether it is so.

    Where one arm ends on all ways and the other on some, what is behind the branch
    is behind the other arm, and no name has to tell whether it has returned.

    before:  if a:                  after:  if a:
                 return x                       return x
             elif b:                        elif b:
                 return y                       return y
             raise ValueError               else:
                                                raise ValueError
    """
    then, orelse = node.body, node.orelse
    if rest and _ends(then) and _returns(orelse) and not _ends(orelse):
        return (then, [*orelse, *rest]), True
    if rest and _ends(orelse) and _returns(then) and not _ends(then):
        return ([*then, *rest], orelse), True
    return (then, orelse), False


def _returns(body: list[Any]) -> bool:
    """Whether a statement may return from the function."""
    return any(isinstance(one, gast.Return) for node in body for one in _own(node))


def _gives(node: gast.AST) -> bool:
    """Whether a statement may return a value of the function's own."""
    return any(isinstance(one, gast.Return) and one.value for one in _own(node))


def _own(node: gast.AST) -> Iterator[gast.AST]:
    yield node
    if not isinstance(node, SCOPES):
        for inner in gast.iter_child_nodes(node):
            yield from _own(inner)


def _ends(body: list[Any]) -> bool:
    """Whether nothing goes on behind these statements."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, JUMPS):
        return True
    if isinstance(last, gast.If):
        return _ends(last.body) and _ends(last.orelse)
    if isinstance(last, gast.With):
        return _ends(last.body)
    if isinstance(last, gast.While):
        forever = isinstance(last.test, gast.Constant) and bool(last.test.value)
        return forever and not any(isinstance(one, gast.Break) for one in _own(last))
    if isinstance(last, gast.Try):
        arms = [last.orelse or last.body, *(one.body for one in last.handlers)]
        return _ends(last.finalbody) or all(map(_ends, arms))
    return False

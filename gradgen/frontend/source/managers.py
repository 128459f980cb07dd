"""Functions of one yield that contextlib.contextmanager makes managers of.

before:  @contextmanager                 after:  def scaled(box, k):
         def scaled(box, k):                         old = box.a
             old = box.a                             box.a = old * k
             box.a = old * k                         def leave():
             try:                                        box.a = old
                 yield box                           return box, leave
             finally:
                 box.a = old

A with block of such a call is what stands before the yield, the block, and `leave()`.
"""

from __future__ import annotations

import contextlib
import copy
import types
from typing import Any

import gast

from gradgen.frontend.source.names import assigned
from gradgen.frontend.source.source import parameters

# a name that no user can have
LEAVE = "leave "
WRAPPER = contextlib.contextmanager(lambda: iter(())).__code__


def is_manager(value: object) -> bool:
    """Whether a function is one that contextlib.contextmanager has made."""
    return isinstance(value, types.FunctionType) and value.__code__ is WRAPPER


def apart(node: Any) -> Any:
    """The function whose result is what it yields, and what is done behind; or None."""
    found = _parts(node.body)
    if found is None or sum(map(_yields, gast.walk(node))) != 1:
        return None
    before, value, after = found
    if any(isinstance(one, gast.Return) for one in gast.walk(node)):
        return None
    own = {*assigned(node.body), *(one.id for one in parameters(node))}
    bound = [name for name in assigned(after) if name in own]
    leave = copy.copy(node)
    leave.name, leave.decorator_list = LEAVE, []
    leave.args = gast.arguments([], [], None, [], [], None, [])
    leave.body = [gast.Nonlocal(bound)] if bound else []
    leave.body += after or [gast.Pass()]
    read = gast.Name(LEAVE, gast.Load(), None, None)
    pair = gast.Tuple([value or gast.Constant(None, None), read], gast.Load())
    result = gast.Return(pair)
    for one in (*leave.body, leave.args, *pair.elts, pair, result):
        if not hasattr(one, "lineno"):
            gast.copy_location(one, node)
    made = copy.copy(node)
    made.decorator_list, made.body = [], [*before, leave, result]
    return made


def _parts(body: list[Any]) -> tuple[list[Any], Any, list[Any]] | None:
    """What stands before a yield, what it gives, and what stands behind it."""
    for i, one in enumerate(body):
        if isinstance(one, gast.Expr) and _yields(one.value):
            return body[:i], one.value.value, body[i + 1 :]
        if any(map(_yields, gast.walk(one))):
            plain = isinstance(one, gast.Try) and not (one.handlers or one.orelse)
            inner = _parts(one.body) if plain else None
            if inner is None:
                return None
            before, value, after = inner
            return [*body[:i], *before], value, [*after, *one.finalbody, *body[i + 1 :]]
    return None


def _yields(node: Any) -> bool:
    return isinstance(node, (gast.Yield, gast.YieldFrom))

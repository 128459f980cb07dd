"""Calls that the text does not have: of a function by its handle, on handles.

`reduce(f, xs)` stands for f(f(xs[0], xs[1]), xs[2]). Such a call is read like one of
the text, with nodes that hold handles in the place of its arguments.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import gast
import numpy

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.ir.nodes import Const, Expr


class Held(gast.AST):
    """A handle in the place of an expression, at the place of a node of the text."""

    _fields = ()
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(self, handle: Expr, like: gast.AST) -> None:
        super().__init__()
        self.handle = handle
        gast.copy_location(self, like)

    def __deepcopy__(self, memo: object) -> Held:
        return self


class Slot(gast.AST):
    """A target that keeps the handle that it is assigned."""

    _fields = ()
    _attributes = Held._attributes

    def __init__(self, like: gast.AST) -> None:
        super().__init__()
        self.handle: Expr = REFUSED
        gast.copy_location(self, like)


def call_of(
    function: Expr,
    args: Iterable[Expr],
    kwargs: Iterable[tuple[str, Expr]],
    node: gast.AST,
) -> gast.Call:
    """The call of a function that is known on handles, at the place of a node."""
    func: Any = Held(function, node)
    value = getattr(function, "value", None)
    owner = getattr(value, "__self__", None)
    if isinstance(value, types.BuiltinMethodType) and isinstance(owner, numpy.ufunc):
        base = Held(Const(owner), node)  # np.add.reduce
        func = gast.Attribute(value=base, attr=value.__name__, ctx=gast.Load())
        gast.copy_location(func, node)
    made = gast.Call(
        func=func,
        args=[Held(arg, node) for arg in args],
        keywords=[gast.keyword(name, Held(value, node)) for name, value in kwargs],
    )
    for keyword in made.keywords:
        gast.copy_location(keyword, node)
    return gast.copy_location(made, node)


def each(kind: Any, items: gast.AST, node: gast.AST) -> Any:
    """(one for one in items), or as a list."""
    store = gast.Name("one", gast.Store(), None, None)
    load = gast.Name("one", gast.Load(), None, None)
    made = kind(load, [gast.comprehension(store, items, [], 0)])
    for part in (store, load, made):
        gast.copy_location(part, node)
    return made

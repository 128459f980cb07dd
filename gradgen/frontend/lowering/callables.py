"""Functions that are known while emitting, and are no functions of Python's own."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

import gast

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.source.names import CALLED
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Const, Expr
from gradgen.rules.load import operation_of


@dataclass(frozen=True, eq=False)
class Closure:
    """A function written inside a function, or a lambda."""

    node: gast.AST
    frame: Frame
    defaults: dict[str, Expr] = field(default_factory=dict)
    cached: bool = False

    @property
    def __name__(self) -> str:
        return getattr(self.node, "name", "the lambda")

    def __call__(self) -> None:
        raise TypeError("a closure is only read")


# the part of NumPy whose functions are read as they stand
IN_PYTHON = "numpy.polynomial."


@dataclass(frozen=True, eq=False)
class Partial:
    """functools.partial of a function that is known while emitting."""

    function: Callable[..., Any]
    args: tuple[Expr, ...]
    kwargs: tuple[tuple[str, Expr], ...]

    def __call__(self) -> None:
        raise TypeError("a partial function is only read")


@dataclass(frozen=True, eq=False)
class Choice:
    """One function or another, by a condition that the text has."""

    test: Expr
    then: Expr
    orelse: Expr
    __name__ = "one of several functions"

    def __call__(self) -> None:
        raise TypeError("a choice is only read")


def map_held(handle: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """A function with each value that it holds changed, and others as they are.

    A choice holds its condition, a partial function arguments, a closure defaults.
    """
    value = getattr(handle, "value", None)
    if isinstance(value, Choice):
        ways = (map_held(way, change) for way in (value.then, value.orelse))
        made: Any = Choice(change(value.test), *ways)
        same = (made.test, made.then, made.orelse) == (
            value.test,
            value.then,
            value.orelse,
        )
    elif isinstance(value, Partial):
        args = tuple(map(change, value.args))
        kwargs = tuple((name, change(one)) for name, one in value.kwargs)
        made = replace(value, args=args, kwargs=kwargs)
        same = (args, kwargs) == (value.args, value.kwargs)
    elif isinstance(value, Closure):
        defaults = {name: change(one) for name, one in value.defaults.items()}
        made, same = replace(value, defaults=defaults), defaults == value.defaults
    else:
        return handle
    return handle if same else Const(made)


def is_users(value: object) -> bool:
    """Whether a value is a function whose text can be read."""
    if isinstance(value, (Closure, Partial, functools.partial)):
        return True
    module = getattr(value, "__module__", "") or ""
    if not isinstance(value, types.FunctionType):
        return False
    if value.__globals__.get("__name__") == CALLED:
        return True
    library = module.partition(".")[0]
    if library == "numpy" and not module.startswith(IN_PYTHON):
        return False
    return library not in ("numpy", "scipy") or id(value) not in operation_of()

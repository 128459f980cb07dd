"""Functions that are known while emitting, and are no functions of Python's own."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import field
from typing import Any

import gast

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.source.names import CALLED
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Expr
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

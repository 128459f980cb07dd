"""Functions that are known while emitting, and are no functions of Python's own."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from dataclasses import field, fields, replace
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
class Repeats:
    """A list or a tuple of one function, as often as a number of the text says."""

    function: Const
    count: Expr


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
    made: Any = value
    if isinstance(value, Choice):
        ways = (map_held(way, change) for way in (value.then, value.orelse))
        made = Choice(change(value.test), *ways)
    elif isinstance(value, Partial):
        function: Any = map_held(Const(value.function), change)
        args = tuple(map(change, value.args))
        kwargs = tuple((name, change(one)) for name, one in value.kwargs)
        made = Partial(function.value, args, kwargs)
    elif isinstance(value, Closure):
        defaults = {name: change(one) for name, one in value.defaults.items()}
        made = replace(value, defaults=defaults)
    return handle if made is value or _same(made, value) else Const(made)


def closures_in(handle: Expr) -> Iterator[Closure]:
    """The functions written inside functions that a value is, or may be."""
    value = getattr(handle, "value", None)
    if isinstance(value, Closure):
        yield value
    elif isinstance(value, Choice):
        yield from closures_in(value.then)
        yield from closures_in(value.orelse)
    elif isinstance(value, Partial):
        yield from closures_in(Const(value.function))


def _same(one: Any, other: Any) -> bool:
    """Whether two functions of one kind hold the same."""
    return all(
        getattr(one, part.name) == getattr(other, part.name) for part in fields(one)
    )


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
    # functools.wraps(np.cos) gives a function of the user's NumPy's names
    written_in = str(value.__globals__.get("__name__")).partition(".")[0]
    if library == written_in == "numpy" and not module.startswith(IN_PYTHON):
        return False
    return library not in ("numpy", "scipy") or id(value) not in operation_of()

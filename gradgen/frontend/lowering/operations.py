"""How handlers answer what the lowering is asked: one behind the other.

An operation is a method that `Lowering` declares; a node of the text is one as well.
A handler answers it for some of what it may be asked, and hands the rest further:

    @answers(Lowering.item)
    def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST) -> Expr:
        if not is_mine(base):
            return item.further(lowering, base, key, node)
        ...

Who is asked first is said in one place, by the order of the modules (`lower.py`). Behind
the last handler stands what the class itself does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

L = TypeVar("L")
P = ParamSpec("P")
R = TypeVar("R")


class Handler(Generic[L, P, R]):
    """One who answers, and who is asked what it does not answer."""

    further: Callable[Concatenate[L, P], R]

    def __init__(self, function: Callable[Concatenate[L, P], R]) -> None:
        self.function = function


# by the names of operations, and by the classes of nodes
OPERATIONS: dict[str, list[Handler[Any, Any, Any]]] = {}
NODES: dict[type, list[Handler[Any, Any, Any]]] = {}
# who is asked first of a node
FIRST: dict[type, Callable[..., Any]] = {}


def answers(
    operation: Callable[Concatenate[L, P], R],
) -> Callable[[Callable[Concatenate[L, P], R]], Handler[L, P, R]]:
    """Makes a function a handler of an operation of the lowering."""

    def registered(function: Callable[Concatenate[L, P], R]) -> Handler[L, P, R]:
        handler = Handler(function)
        OPERATIONS.setdefault(operation.__name__, []).append(handler)
        return handler

    return registered


def handles(
    *kinds: type,
) -> Callable[[Callable[[L, Any], R]], Handler[L, [Any], R]]:
    """Makes a function a handler of nodes: a statement is written, an expression read."""

    def registered(function: Callable[[L, Any], R]) -> Handler[L, [Any], R]:
        handler: Handler[L, [Any], R] = Handler(function)
        for kind in kinds:
            NODES.setdefault(kind, []).append(handler)
        return handler

    return registered


def install(whole: type, modules: Sequence[str]) -> None:
    """Puts the handlers of modules before what a class does, in the modules' order."""
    place = {name: i for i, name in enumerate(modules)}
    for name, handlers in OPERATIONS.items():
        setattr(whole, name, linked(handlers, getattr(whole, name), place))
    for kind, handlers in NODES.items():
        last = getattr(whole, f"read_{kind.__name__}", None)
        FIRST[kind] = linked(handlers, last, place)


def linked(
    handlers: list[Handler[Any, Any, Any]], last: Any, place: dict[str, int]
) -> Callable[..., Any]:
    """The first of the handlers, each of which hands on to the one behind it."""
    handlers = sorted(handlers, key=lambda one: place[one.function.__module__])
    behind = [one.function for one in handlers[1:]] + [last]
    for handler, further in zip(handlers, behind):
        handler.further = further
    return handlers[0].function

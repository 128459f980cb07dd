"""What is kept of what stands around a statement: loops, try blocks, generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.memory import Key
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Expr, Note, Ref, Var

Place = tuple[Any, ...]


Span = tuple[Expr, Expr, Expr]
Places = tuple[tuple[Var, int], ...]


@dataclass(frozen=True)
class Items:
    """What is gone over: handles that are known, or a length and what is at i.

    `span` is the start, stop and step of a range. `places` are the places in lists,
    each with its list's buffer, that the known items have been read from; None where
    that is not told.
    """

    known: tuple[Expr, ...] | None = None
    span: Span | None = None
    length: Expr | None = None
    at: Callable[[Expr], Expr] | None = None
    places: tuple[Places, ...] | None = None


@dataclass
class GoneOver:
    """A list that a loop goes over, and the places that its later rounds have read.

    None where these are not told: they may be all.
    """

    buffer: Var
    later: frozenset[int] | None = None


class Raised(Exception):
    """What is evaluated raises, in a try block that takes it."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)  # a user's may have no text yet
        self.error = error


@dataclass(frozen=True)
class Trying:
    """A try block: what is written in it, what its handlers take, which go on."""

    body: list[Any]
    kinds: tuple[tuple[type, ...], ...]
    goes_on: tuple[bool, ...]

    def handler_of(self, kind: type) -> int | None:
        """The place of the handler that takes an exception."""
        for i, kinds in enumerate(self.kinds):
            if issubclass(kind, kinds):
                return i
        return None


@dataclass(frozen=True)
class Read:
    """What a generator reads: the names with their handles, the buffers' contents."""

    node: gast.AST
    names: dict[Key, Expr | None]
    versions: dict[Var, Expr]
    # whether the items have been taken by then, and no more is read of what held them
    at_once: bool = False


@dataclass
class Consumer:
    """The loop that goes over what a generator yields, and the count of its rounds."""

    node: gast.For
    frame: Frame
    note: Note
    count: str | None = None


@dataclass(frozen=True)
class View:
    """What d.keys(), d.values() or d.items() was when it was read."""

    of: Ref
    name: str
    made: Apply

"""A call that is being read, a piece of text that may not run, what is refused."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import gast

from gradgen.frontend.lowering.memory import State
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.spelling import comments
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Const, Line, Note, Stmt

# Stands for a value that was refused, so that one mistake is told once.
REFUSED = Const("refused")


class Refusal(Exception):
    """The statement that is being read is refused; its problem has been noted."""


@dataclass
class Frame:
    """One call: whose text is read, and which names are its own."""

    number: int
    source: Source
    locals: frozenset[str]
    parent: Frame | None = None
    above: dict[Any, Any] = field(default_factory=dict)
    trailing: dict[Any, Any] = field(default_factory=dict)
    loops: int = 0  # of this call, around the statement
    node: gast.AST = field(kw_only=True)
    name: str = ""
    shared: frozenset[str] = frozenset()  # declared global
    unbound: frozenset[str] = frozenset()  # may be read without a value
    keeps: bool = False  # whether a function defined here may still read the names
    outlived: set[str] = field(default_factory=set)  # read by functions it returns
    note: Note | None = None  # the statement that a comprehension stands in
    call: Line | None = None  # the line that the call stands in
    target: str = "out"  # what its result is called: y in y = f(x)

    def __post_init__(self) -> None:
        self.above, self.trailing = comments(self.source)


@dataclass
class Arm:
    """What a piece of text that may not run comes to: statements and a state."""

    body: list[Stmt]
    state: State

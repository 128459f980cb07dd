"""Functions that a text calls rather than contains: what is known of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var

# kept: a call in the primal, of (callee, arguments)
# vjp: the same in a gradient, of (link, arguments): the value and its callback
# part: the value, one of several or the callback, of (the whole, which, slot)
# pulled: what a callback makes of seeds, of (slot, the callback, seeds)
# share: one of several gradients that a callback gives, of (the whole, which, slot)
VALUES = ("part", "share")
# those whose shape and kind a call tells
CALLS = ("kept", "pulled", *VALUES)
# A statement of one of these stands where it is, and is not read into others.
STATEMENTS = ("kept", "vjp", *VALUES)


def is_unpacked(value: Expr) -> bool:
    """Whether an operation gives several values that are named at once."""
    if not isinstance(value, Apply):
        return False
    return value.op == "vjp" or value.op == "pulled" and value.args[0].value.count > 1


def stays(value: Expr) -> bool:
    """Whether an operation has a line of its own."""
    if isinstance(value, Apply) and value.op in STATEMENTS:
        return True
    return is_unpacked(value)


@dataclass(frozen=True)
class Outcome:
    """What is known of one result of a function, under the names of its own facts.

    `shape` is None where nothing is known of it; `number` says that it surely is no
    array; `shared` are the places of the arguments whose memory it may share.
    """

    shape: Any
    kind: Any
    number: bool = True
    shared: frozenset[int] = frozenset()
    # whether it surely is an argument, or a part of one
    given: bool = False


@dataclass(eq=False)
class Callee:
    """A function that is called, for arguments of certain shapes.

    `params` are the names of the arguments that are handed over, `texts` the facts
    of each, None where nothing is known. `letters` tells of each size that the facts
    name in which argument, and along which axis, it is found.
    """

    name: str
    source: Any
    params: tuple[str, ...]
    texts: tuple[str | None, ...]
    letters: dict[str, tuple[int, int]]
    outcomes: tuple[Outcome, ...]
    by_keyword: frozenset[str] = frozenset()
    # whether it calls itself
    recursive: bool = False
    function: Function | None = None
    facts: Any = None

    @property
    def body(self) -> Function:
        """The function itself, once it has been read."""
        assert self.function is not None
        return self.function

    @property
    def shared(self) -> frozenset[int]:
        """The places of the arguments whose memory a result may share."""
        return frozenset().union(*(outcome.shared for outcome in self.outcomes))

    def __repr__(self) -> str:
        return f"<callee {self.name}>"


@dataclass(frozen=True)
class Link:
    """A function of the text that gives a callee's value and its callback.

    The callback gives the gradients with respect to the arguments `wrt`, by place.
    """

    callee: Callee
    wrt: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Slot:
    """The shape and the kind of a value that a call gives, or how many they are."""

    shape: Any
    kind: Any
    count: int = 1


def callee_of(call: Apply) -> Callee:
    """The function that an operation "kept" or "vjp" calls."""
    first = call.args[0]
    assert isinstance(first, Const)
    found = first.value
    return found.callee if isinstance(found, Link) else found


def results_of(call: Apply) -> int:
    """How many results a call has, when not one."""
    count = len(callee_of(call).outcomes)
    return count if count > 1 else 0


def slot_of(value: Apply) -> Slot:
    """What is known of a value that a call gives, or a callback."""
    told = value.args[-1 if value.op in VALUES else 0]
    assert isinstance(told, Const) and isinstance(told.value, Slot)
    return told.value


def shared_arguments(call: Apply) -> tuple[Any, ...]:
    """The arguments of a call whose memory its results may share.

    One that is left to its default is a number: vjp_h(x, y=y) of def h(x, rate=10.0, y=0.0)
    may share y with its result, the third parameter and the second that is handed over.
    """
    callee = callee_of(call)
    given = dict(zip(callee.params, call.args[1:])) | dict(call.kwargs)
    names = [callee.params[place] for place in sorted(callee.shared)]
    return tuple(given[name] for name in names if name in given)


def read_by_call(value: Apply) -> Iterator[Var]:
    """The arguments of a call that it may depend on differentiably."""
    texts = callee_of(value).texts
    for arg, text in zip(value.args[1:], texts, strict=True):
        if isinstance(arg, Ref) and (text or "")[:1] != ":":
            yield arg.var

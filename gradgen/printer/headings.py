"""The comments above adjoints: which line of the source each is the gradient of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Let, Line, Origin, Role, Stmt, Var
from gradgen.ir.walk import blocks, lets, statements


@dataclass(frozen=True)
class Heading:
    """A comment above an adjoint, and the lines of the source that it tells of."""

    text: str
    lines: tuple[Line, ...] = ()


Headings = Callable[[Stmt], tuple[list[Heading], list[Heading]]]


def headings(
    removed: dict[Var, tuple[Line, ...]], body: tuple[Stmt, ...] = ()
) -> Headings:
    """What stands above each adjoint: stacked lines, and its own.

    One line of the source: "Grad of: XX = X * X". Several: "Grad of: X, used in
    similarity and xnorm". What a call gives is its line's, `norm = length_of(X)`. The lines of adjoints that were only other names stack
    on the next. A line without text is no line of the source: its comment stands.
    Neighbours in a `body` that the same lines use have one heading: "a and b, used in".
    """
    beside = dict(_beside(body))

    def above(let: Stmt) -> tuple[list[Heading], list[Heading]]:
        lines = let.note.lines
        if lines and not lines[0].text:
            return [], [Heading(comment) for comment in lines[0].comments]
        if not isinstance(let, Let):
            return [], [_of(line) for line in lines[:1]]
        targets = list(dict.fromkeys(map(_target, lines)))
        if len(targets) > 1 and let.var.of is not None:
            of = _primal(let.var.of).name
            whose = beside.get((of, *targets), [of])
            text = f"Grad of: {_listed(whose)}, used in {_listed(targets)}"
            return [], [Heading(text, lines)]
        own = list({one.text: one for one in map(_of, lines)}.values())
        texts = [one.text for one in own]
        stacked = [_of(line) for line in removed.get(let.var, ())]
        return [one for one in stacked if one.text not in texts], own

    return above


def no_headings(let: Stmt) -> tuple[list[Heading], list[Heading]]:
    """A text without comments."""
    return [], []


def _said(line: Line) -> Line:
    """The line by which a reader knows it: the call's of what a call returns."""
    return line.call or line


def _target(line: Line) -> str:
    """What a line of the source makes, in a word."""
    line = _said(line)
    if line.text.startswith(("for ", "while ")):
        return "the loop"
    if line.text.startswith(("if ", "elif ")):
        return "the branch"
    return line.target or line.text


def _listed(words: list[str]) -> str:
    """a, b and c"""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _beside(body: Iterable[Stmt]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """What neighbouring adjoints that the same lines use are of.

    For each of them, by its name and what it is used in.
    """

    def used(stmt: Stmt) -> list[str]:
        one = stmt.note.role is Role.GRAD and isinstance(stmt, Let) and stmt.var.of
        return list(dict.fromkeys(map(_target, stmt.note.lines))) if one else []

    for targets, group in groupby(body, used):
        own = [stmt.var for stmt in group if isinstance(stmt, Let)]
        names = list(dict.fromkeys(_primal(v.of).name for v in own if v.of is not None))
        if len(targets) > 1:
            yield from (((name, *targets), names) for name in names)
    for stmt in body:
        for block in blocks(stmt):
            yield from _beside(block)


def _of(line: Line) -> Heading:
    return Heading(f"Grad of: {_said(line).text}", (line,))


def _primal(var: Var) -> Var:
    """The variable of the primal that an adjoint or a tangent belongs to."""
    while var.origin in (Origin.ADJOINT, Origin.TANGENT) and var.of is not None:
        var = var.of
    return var


def removed_lines(
    before: tuple[Stmt, ...], after: tuple[Stmt, ...]
) -> dict[Var, tuple[Line, ...]]:
    """The lines of user adjoints that are gone, by the adjoint next to them in a block."""
    around = {
        _said(line)
        for stmt in statements(before)
        if not isinstance(stmt, Let)
        for line in stmt.note.lines
    }
    # A line whose block is there needs no second heading.
    around |= {
        _said(line)
        for stmt in statements(after)
        if stmt.note.role is Role.GRAD
        for line in stmt.note.lines
    }
    left = {let.var for let in lets(after)}
    found: dict[Var, tuple[Line, ...]] = {}
    for block in _each_block(before):
        pending: tuple[Line, ...] = ()
        for let in block:
            if not isinstance(let, Let):
                pending = ()  # what a loop or a branch does is no line's before it
            elif let.note.role is Role.FORWARD:
                continue
            elif let.var in left:
                found[let.var] = pending
                pending = ()
            elif let.var.of is not None and let.var.of.origin is Origin.USER:
                # of several lines that used a value, one that is there tells of all
                if around.isdisjoint(_said(line) for line in let.note.lines):
                    pending += let.note.lines
    return found


def _each_block(body: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    yield body
    for stmt in body:
        for block in blocks(stmt):
            yield from _each_block(block)

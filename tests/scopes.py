"""Which variables a function reads where none of them stands: an arm's, behind the branch.

The text of such a function runs: the name has the value of the last round, or none. The
front end keeps what an arm or a round computes inside it (`ir/nodes.py`), and so does
the gradient from the pass `saved` on; before it the way back reads the forward loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gradgen.ir.nodes import Branch, Function, Loop, Role, Stmt, Var
from gradgen.ir.walk import defined, own_expressions, reads
from gradgen.pipeline import passes


def unknown(function: Function, forward: bool = False) -> list[str]:
    """The variables that are read out of their place, in the forward half alone or in all."""
    body = [s for s in function.body if not forward or s.note.role is not Role.GRAD]
    there = {param.var for param in function.params} | set(function.seeds)
    found: list[Var] = []
    there = _read(body, there, found)
    if not forward:
        results = [result.value for result in function.results]
        found += [var for value in results for var in reads(value) if var not in there]
    return [var.name for var in found]


def _read(body: Iterable[Stmt], there: set[Var], found: list[Var]) -> set[Var]:
    """What is there at the end of a block, from what is there before it."""
    there = set(there)

    def note(expressions, known: set[Var]) -> None:
        every = (var for one in expressions if one is not None for var in reads(one))
        found.extend(var for var in every if var not in known)

    for stmt in body:
        if isinstance(stmt, Branch):
            note([stmt.test], there)
            note([m.then for m in stmt.merges], _read(stmt.then, there, found))
            note([m.orelse for m in stmt.merges], _read(stmt.orelse, there, found))
        elif isinstance(stmt, Loop):
            note([stmt.over, *(slot.entry for slot in stmt.carried)], there)
            inside = {*there, stmt.index, *(slot.inner for slot in stmt.carried)}
            note([stmt.test], inside)
            end = _read(stmt.body, inside, found)
            note([stmt.until, *(slot.next for slot in stmt.carried)], end)
        else:
            note(own_expressions(stmt), there)
        there |= set(defined(stmt))
    return there


@contextmanager
def watched() -> Iterator[list[tuple[str, str, list[str]]]]:
    """What every text that is made meanwhile reads out of its place: pass and names."""
    found: list[tuple[str, str, list[str]]] = []
    before = passes._after
    is_saved = False

    def after(one, function, context, watch):
        nonlocal is_saved
        made = before(one, function, context, watch)
        name = one.run.__name__
        if name in ("logistic", "saved", "lengths"):
            is_saved = name != "logistic" and (is_saved or name == "saved")
            names = unknown(made, forward=not is_saved)
            if names:
                found.append((function.name, name, names))
        return made

    passes._after = after
    try:
        yield found
    finally:
        passes._after = before

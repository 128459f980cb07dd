"""What a value is called whose name another one still has: a word before a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping

from gradgen.ir.callee import VALUES
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Let,
    Line,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import lets, reads, statements

CALLBACK = "backprop_"
NEWER, BEFORE = ("new", "next"), "before"
BLOCKS = ("for ", "while ", "if ")
# a longer name is no help
LONG = 24
USERS = (Origin.PARAM, Origin.USER)


def other_names(let: Let, wish: str, calls: Mapping[Var, str]) -> Iterator[str]:
    """The names that a person would try next, the best first.

    Of a rule's own value `flow` that is K_flow in the line that assigns K; of a
    callback backprop_fm; of an adjoint d_rate_fm, the part that comes through fm. A
    product of x2 and y2 that wishes for xy is xy2. A part of x in the line of K is x_in, or
    K_x. What is computed from an x is x_new, and what a round had kept is x_before. `calls` are what the results of callbacks
    come through.
    """
    yield from (name for name in _tried(let, wish, calls) if len(name) <= LONG)


def through(let: Let, names: Mapping[Var, str]) -> dict[Var, str]:
    """fm for what backprop_fm is called for, by the names that are chosen."""
    value = let.value
    if not isinstance(value, Apply) or value.op != "pulled":
        return {}
    called = (names.get(var, "") for var in reads(value))
    name = next((one for one in called if one.startswith(CALLBACK)), "")
    return {let.var: name.removeprefix(CALLBACK)} if name else {}


def callbacks(body: Iterable[Stmt], joined: Container[Var]) -> dict[Var, str]:
    """The names of callbacks of a function that is called twice: backprop_fm.

    They are called by the value that comes with them, or by what its line assigns where
    no other call stands in it; those of one call by the function.
    """
    values: dict[Var, str] = {}
    lines: dict[Var, str] = {}
    found: dict[Var, tuple[Var, str]] = {}
    for let in lets(body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in VALUES:
            continue
        if not isinstance(value.args[0], Ref):
            continue
        if let.var.name.startswith(CALLBACK):
            found[let.var] = value.args[0].var, let.var.name
            lines[value.args[0].var] = _target(let)
        elif let.var.origin is Origin.USER:
            values.setdefault(value.args[0].var, let.var.name)
    counted = Counter(name for _, name in found.values())
    alone = Counter(lines.values())
    values = {call: x for call, x in lines.items() if x and alone[x] == 1} | values
    return {
        var: f"{CALLBACK}{values[call]}"
        for var, (call, name) in found.items()
        if counted[name] > 1 and call in values and var not in joined
    }


def joined(body: Iterable[Stmt]) -> frozenset[Var]:
    """The variables that are one with others: where arms meet, and from round to round.

    Each of them would have to find the same word.
    """
    found: set[Var] = set()
    for stmt in statements(body):
        if isinstance(stmt, Branch):
            for merge in stmt.merges:
                ways = [*reads(merge.then), *reads(merge.orelse)]
                # what one arm alone gives may be called as that arm likes
                if len(ways) > 1 or merge.var.origin is Origin.USER:
                    found |= {merge.var, *ways}
        elif isinstance(stmt, Loop):
            for slot in stmt.carried:
                found |= {slot.inner, slot.exit, *reads(slot.entry), *reads(slot.next)}
    return frozenset(found)


def of_joined(wish: str) -> Iterator[str]:
    """The names of what is joined: the same for all of them."""
    return (f"{wish}_{word}" for word in NEWER)


def _tried(let: Let, wish: str, calls: Mapping[Var, str]) -> Iterator[str]:
    read = reads(let.value)
    var, target = let.var, _target(let)
    target = next((calls[one] for one in read if one in calls), target)
    if target and target not in wish.split("_"):
        if wish.startswith(CALLBACK):
            yield f"{CALLBACK}{target}"
        elif var.origin is Origin.ADJOINT or wish.startswith("d_"):
            yield f"{wish}_{target}"
        elif var.origin is Origin.LOCAL:
            yield f"{target}_{wish}"
    numbers = {n for one in read for n in re.findall(r"\d+", one.name)}
    if len(numbers) == 1 and len(read) > 1 and not wish[-1].isdigit():
        if all(re.search(r"\d", one.name) for one in read):
            yield f"{wish}{numbers.pop()}"
    if var.origin is Origin.TEMP and isinstance(let.value, Apply):
        word = wish.rpartition("_")[2]
        for one in read:
            if one.origin in USERS and one.name != wish.removesuffix(f"_{word}"):
                yield f"{one.name}_{word}"
                break
        base = let.value.args[0] if let.value.op == "getitem" else None
        if target and isinstance(base, Ref) and base.var.origin in USERS:
            yield f"{target}_{base.var.name}"
    if any(one.name == var.name for one in read):
        yield from of_joined(wish)
    if let.note.role is Role.GRAD and var.origin in (Origin.USER, Origin.SAVED):
        yield f"{wish}_{BEFORE}"


def _target(let: Let) -> str:
    """What the line of the source assigns, when it is one name."""
    lines = (one for one in let.note.lines if not one.text.startswith(BLOCKS))
    line: Line | None = next(lines, None)
    target = line.target if line is not None else ""
    return target if target.isidentifier() and target != "out" else ""

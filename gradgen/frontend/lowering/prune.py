"""Takes out what no statement reads: idle merges, idle carried values, idle parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Effect, Expr, Function, Let, Loop, Origin
from gradgen.ir.nodes import Ref, Stmt, Var
from gradgen.ir.renaming import in_expression, replaced
from gradgen.ir.walk import reads


def prune(function: Function, renamed: Mapping[int, Var]) -> Function:
    """The function without idle results of branches and loops, under final names."""
    values = function.values
    while True:
        idle: dict[int, Var] = {}
        needed = {var for value in values for var in reads(value)}
        body = _kept(function.body, needed, idle)
        same = _constants(body, {})
        if not same:
            break
        function = replace(function, body=replaced(body, same, {}))
        values = tuple(in_expression(value, same, {}) for value in values)
    renamed = {**renamed, **idle}
    return replace(
        function,
        body=replaced(body, {}, renamed),
        values=tuple(in_expression(value, {}, renamed) for value in values),
    )


def _kept(
    body: Iterable[Stmt], needed: set[Var], idle: dict[int, Var], tried: bool = False
) -> tuple[Stmt, ...]:
    """The statements that have an effect or a result that is needed after them.

    `needed` grows by what they read. A line of the user's stays. In the body of a try
    block, where it is `tried`, so does whatever may raise: `idle` are the names of its
    own that it gets, since a part of an expression would go with the expression.
    """
    kept: list[Stmt] = []
    for stmt in reversed(tuple(body)):
        if isinstance(stmt, Let):
            if stmt.var not in needed and stmt.var.origin is Origin.TEMP:
                if tried and _may_raise(stmt):
                    name = stmt.var.name if stmt.var.name.isidentifier() else "checked"
                    own = replace(stmt.var, name=name, origin=Origin.USER)
                    idle[stmt.var.id] = own
                elif not stmt.var.name.isidentifier() or _is_part(stmt):
                    continue
            needed.update(reads(stmt.value))
        elif isinstance(stmt, Effect):
            needed.update(reads(stmt.value))
        elif isinstance(stmt, Branch):
            branch = _kept_branch(stmt, needed, idle, tried)
            if branch is None:
                continue
            stmt = branch
        elif isinstance(stmt, Loop):
            stmt = _kept_loop(stmt, needed, idle, tried)
        kept.append(stmt)
    return tuple(reversed(kept))


def _is_part(let: Let) -> bool:
    return getattr(let.value, "op", "") in ("getitem", "list", "numpy.transpose")


def _may_raise(let: Let) -> bool:
    """Whether the value is computed: an entry, a quotient, a call."""
    value = let.value
    return isinstance(value, Apply) and value.op not in ("list", "tuple", "not")


def _kept_branch(
    stmt: Branch, needed: set[Var], idle: dict[int, Var], tried: bool
) -> Branch | None:
    merges = tuple(
        merge
        for i, merge in enumerate(stmt.merges)
        if merge.var in needed or stmt.is_try and not i
    )
    arms = []
    read: set[Var] = set()
    for body, side in ((stmt.then, "then"), (stmt.orelse, "orelse")):
        inside = {var for merge in merges for var in reads(getattr(merge, side))}
        own = tried or stmt.is_try and side == "then"
        arms.append(_kept(body, inside, idle, own))
        read |= inside
    if not merges and not any(arms):
        return None
    needed |= read | set(reads(stmt.test))
    return replace(stmt, then=arms[0], orelse=arms[1], merges=merges)


def _kept_loop(stmt: Loop, needed: set[Var], idle: dict[int, Var], tried: bool) -> Loop:
    fixed = {var for part in (stmt.until, stmt.test) if part for var in reads(part)}
    kept = {c.inner for c in stmt.carried if c.exit in needed}
    while True:
        inside = set(fixed)
        for c in stmt.carried:
            if c.inner in kept:
                inside.update(reads(c.next))
        body = _kept(stmt.body, inside, idle, tried)
        more = {c.inner for c in stmt.carried if c.inner in inside} | kept
        if more == kept:
            break
        kept = more
    carried = tuple(c for c in stmt.carried if c.inner in kept)
    needed |= inside
    for c in carried:
        needed.update(reads(c.entry))
    if stmt.over is not None:
        needed.update(reads(stmt.over))
    return replace(stmt, carried=carried, body=body)


def _constants(body: Iterable[Stmt], same: dict[Var, Expr]) -> dict[Var, Expr]:
    """What each variable that goes through a loop unchanged is in truth."""
    for stmt in body:
        if isinstance(stmt, Branch):
            _constants(stmt.then, same)
            _constants(stmt.orelse, same)
            for merge in stmt.merges:
                if merge.then == merge.orelse and merge.then == merge.then:
                    same[merge.var] = merge.then
        elif isinstance(stmt, Loop):
            _constants(stmt.body, same)
            for c in stmt.carried:
                if c.next == Ref(c.inner):
                    same[c.inner] = same[c.exit] = c.entry
    return same

"""What the arms of a branch hand on is not filled where an array multiplies it anyway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import MULTIPLICATIVE
from gradgen.ir.walk import children, reads, reads_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind, joined
from gradgen.shapes.shape import equal, within

FILLED = "numpy.full_like"


def unfilled(function: Function, facts: Facts) -> Function:
    """The function whose arms fill no adjoint that is only multiplied by a whole array.

        before:  if w is not None:
                     d_r = d_out * w
                 else:
                     d_r = np.full_like(x, d_out)
                 d_x = d_r * np.cos(x)
        after:   if w is not None:
                     d_r = d_out * w
                 else:
                     d_r = d_out
                 d_x = d_r * np.cos(x)

    An adjoint may be smaller than what it is of; where a branch ends each of its arms
    has made it whole, since nothing was known then of what reads it.
    """
    body = list(function.body)
    for at, stmt in enumerate(body):
        if not isinstance(stmt, Branch) or not stmt.note.derived or stmt.is_try:
            continue
        for merge in stmt.merges:
            rest = body[at + 1 :]
            returned = {v for one in function.results for v in reads(one.value)}
            if merge.var in returned or not _is_multiplied(merge.var, rest, facts):
                continue
            then = _filled(stmt.then, merge.then, stmt, facts)
            orelse = _filled(stmt.orelse, merge.orelse, stmt, facts)
            if then is None or orelse is None or not {**then, **orelse}:
                continue
            stmt = body[at] = replace(
                stmt,
                then=_with_values(stmt.then, then),
                orelse=_with_values(stmt.orelse, orelse),
            )
            for var, entry in {**then, **orelse}.items():
                facts.shapes[var], facts.kinds[var] = facts.of(entry), facts.kind(entry)
                facts.definitions[var] = entry
            whole = facts.shapes[merge.var]
            facts.shapes[merge.var] = within(facts.fresh_name(), whole)
            facts.kinds[merge.var] = joined(map(facts.kind, (merge.then, merge.orelse)))
    return (
        function if body == list(function.body) else replace(function, body=tuple(body))
    )


def _is_multiplied(var: Var, rest: list[Stmt], facts: Facts) -> bool:
    """Whether all that reads a variable multiplies it by an array of its shape."""
    for stmt in rest:
        if var not in reads_of(stmt):
            continue
        if not isinstance(stmt, Let) or not all(_multiplies(stmt.value, var, facts)):
            return False
    return True


def _multiplies(expr: Expr, var: Var, facts: Facts) -> Iterator[bool]:
    """For each place where a variable is read whether an array multiplies it."""
    if expr == Ref(var):
        yield False
    if not isinstance(expr, Apply):
        return
    if expr.op in MULTIPLICATIVE and expr.args[0] == Ref(var):
        other = expr.args[1]
    elif expr.op == "numpy.multiply" and expr.args[1] == Ref(var):
        other = expr.args[0]
    else:
        for inner in children(expr):
            yield from _multiplies(inner, var, facts)
        return
    whole = equal(facts.of(other), facts.shapes[var]) and var not in reads(other)
    yield whole and facts.kind(other) is Kind.LIKE and bool(facts.rank(other))


def _filled(
    arm: tuple[Stmt, ...], way: Expr, branch: Branch, facts: Facts
) -> dict[Var, Expr] | None:
    """What an arm fills for a merge alone, by its variable; None for another dtype."""
    if not isinstance(way, Ref):
        return {}
    ends = [one for merge in branch.merges for one in (merge.then, merge.orelse)]
    if ends.count(way) > 1 or any(way.var in reads_of(stmt) for stmt in arm):
        return {}
    for stmt in arm:
        value = stmt.value if isinstance(stmt, Let) and stmt.var == way.var else None
        if isinstance(value, Apply) and value.op == FILLED and not value.kwargs:
            like, entry = value.args
            alike = facts.is_complex(like) == facts.is_complex(entry)
            narrow = alike and facts.kind(entry) is not Kind.WIDE
            return {way.var: entry} if narrow else None
    return {}


def _with_values(arm: tuple[Stmt, ...], values: Mapping[Var, Expr]) -> tuple[Stmt, ...]:
    return tuple(
        replace(stmt, value=values[stmt.var])
        if isinstance(stmt, Let) and stmt.var in values
        else stmt
        for stmt in arm
    )

"""Gradients of several arguments are cast where their dtype is lost, once."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.walk import reads
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

NAMED = (Origin.USER, Origin.PARAM)


def narrowed(function: Function, facts: Facts) -> Function:
    """The function with one cast where several gradients would be cast by themselves.

        before:  d_s = np.where(s > 0, d_out / len(x), 0)
                 d_x = (d_s[:, None] * y).astype(x.dtype)
                 d_y = (d_s[:, None] * x).astype(y.dtype)
        after:   d_s = np.where(s > 0, d_out / len(x), 0).astype(s.dtype)
                 d_x = d_s[:, None] * y
                 d_y = d_s[:, None] * x

    A choice between Python numbers is an array of float64, whatever the arguments
    are. What it is the adjoint of tells the dtype.
    """
    if any(stmt.note.derived and not isinstance(stmt, Let) for stmt in function.body):
        return function
    before = sum(_casts(function, facts))
    if before < 2:
        return function
    body: list[Stmt] = []
    trial = copy(facts)
    trial.kinds, trial.definitions = dict(facts.kinds), dict(facts.definitions)
    trial._found, trial._kinds_found = {}, {}
    for stmt in function.body:
        if stmt.note.derived:
            assert isinstance(stmt, Let)
            of = stmt.var.of
            if of is not None and _loses(stmt, of, trial):
                stmt = replace(stmt, value=_cast(stmt.value, of))
            trial.kinds[stmt.var] = trial.kind(stmt.value)
            trial.definitions[stmt.var] = stmt.value
        body.append(stmt)
    found = replace(function, body=tuple(body))
    if found.body == function.body or sum(_casts(found, trial)) > before - 2:
        return function
    facts.kinds.update(trial.kinds)
    facts.definitions.update(trial.definitions)
    return found


def _casts(function: Function, facts: Facts) -> Iterator[bool]:
    """For each gradient whether it is of float64 where its argument may not be."""
    for result in function.results:
        value, of = result.value, Ref(result.of)
        wide = facts.kind(value) is Kind.WIDE and facts.kind(of) is Kind.LIKE
        yield wide and facts.rank(of) != 0


def _loses(let: Let, of: Var, facts: Facts) -> bool:
    """Whether a statement makes float64 of what may be float32."""
    if let.var.origin is not Origin.ADJOINT or of.origin not in NAMED:
        return False
    if facts.kind(let.value) is not Kind.WIDE or facts.kinds.get(of) is not Kind.LIKE:
        return False
    alike = facts.same(let.value, Ref(of)) and bool(facts.rank(Ref(of)))
    return alike and all(facts.kinds[var] <= Kind.LIKE for var in reads(let.value))


def _cast(value: Expr, of: Var) -> Expr:
    dtype = Apply("dtype", (Ref(of),), spelling="attribute:dtype")
    return Apply("astype", (value, dtype), spelling="method:astype")

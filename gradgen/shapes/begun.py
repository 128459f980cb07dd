"""States of loops that begin with a number, and are arrays from the first round on."""

from __future__ import annotations

from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Branch, Carried, Const, Expr, Let, Loop, Ref, Var
from gradgen.ir.walk import all_defined, reads, statements
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape


def begins_with_number(facts: Facts, slot: Carried) -> bool:
    """Whether a slot starts from a number that is written out."""
    entry: Expr | None = slot.entry
    if isinstance(entry, Ref):
        entry = facts.definitions.get(entry.var)
    return isinstance(entry, Const) and type(entry.value) in (int, float)


def shapes_inside(facts: Facts, loop: Loop) -> dict[Var, Shape]:
    """The shapes of what a loop's body defines."""
    found = ((var, facts.shapes.get(var)) for var in all_defined(loop.body))
    return {var: shape for var, shape in found if shape is not None}


def smaller_at_first(
    facts: Facts, slot: Carried, first: Mapping[Var, Shape]
) -> set[Var]:
    """A state that begins with a number, and what is smaller in the first round with it."""
    known = facts.shapes.get
    return {slot.inner} | {var for var, shape in first.items() if known(var) != shape}


def is_spread_at_once(
    facts: Facts, loop: Loop, slot: Carried, first: Mapping[Var, Shape]
) -> bool:
    """Whether a state may be taken for what it is after the first round, in all.

    before:  y = 0.0; for c in C: y = y * x + c        y is a number, then it is as x
    after:   y is as x: what is as large in the first round is read entry by entry alone

    `first` has the shapes of the body where the state is a number. Nothing that is
    smaller then is reduced, handed on or put by.
    """
    smaller = smaller_at_first(facts, slot, first)
    handed = [one.next for one in loop.carried]
    for stmt in statements(loop.body):
        if isinstance(stmt, Branch):
            handed += [way for one in stmt.merges for way in (one.then, one.orelse)]
            handed.append(stmt.test)
        elif isinstance(stmt, Loop):
            handed += [way for one in stmt.carried for way in (one.entry, one.next)]
            handed += [x for x in (stmt.over, stmt.test, stmt.until) if x is not None]
        elif not isinstance(stmt, Let) or not _is_entrywise(stmt.value):
            handed.append(getattr(stmt, "value", Const(None)))
    return smaller.isdisjoint(var for one in handed for var in reads(one))


def _is_entrywise(value: Expr) -> bool:
    """Whether an operation computes entry by entry, of operands that stay as they are."""
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    return (
        rule is not None
        and rule.kind == "elementwise"
        and isinstance(value, Apply)
        and not value.kwargs
        and all(isinstance(arg, (Ref, Const)) for arg in value.args)
    )

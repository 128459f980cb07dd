"""What is added to a number in a list: d_xs[i] += y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Stmt
from gradgen.ir.operators import ADDITIVE, LISTS_OF_ADJOINTS, getitem
from gradgen.ir.walk import lets
from gradgen.printer.differences import without_minus
from gradgen.printer.rescaled import IN_PLACE
from gradgen.shapes.infer import Facts

STORES = ("setitem", "put")


def added_numbers(function: Function, facts: Facts) -> Function:
    """The function whose gradient adds to the numbers of lists where they stand.

        before:  for i in reversed(range(n - 1)):
                     rhs, v_i = cache[i]
                     d_rhs_v_i = d_v[i]
                     d_v[i] = 0.0
                     d_v[i + 1] = d_v[i + 1] + d_rhs_v_i * v_i
                     d_v[i] = d_v[i] + d_rhs_v_i * rhs
        after:   for i in reversed(range(n - 1)):
                     rhs, v_i = cache[i]
                     d_rhs_v_i = d_v[i]
                     d_v[i] = 0.0
                     d_v[i + 1] += d_rhs_v_i * v_i
                     d_v[i] += d_rhs_v_i * rhs

    Of numbers alone, which are made anew: an array would change for all that have it. So
    not where a list is given what has a name, a seed that may be an array of rank 0, nor
    where one begins with such arrays.
    """
    made = {getattr(let.value, "op", "") for let in lets(function.body)}
    if not made.isdisjoint(LISTS_OF_ADJOINTS):
        return function
    stored = list(_stored(function, facts))
    if not stored or any(isinstance(value, Ref) for value in stored):
        return function
    return replace(function, body=tuple(_block(function.body, facts)))


def _stored(function: Function, facts: Facts) -> Iterator[Expr]:
    """What the gradient stores into lists."""
    for let in lets(function.body):
        value = let.value
        if not let.note.derived or not isinstance(value, Apply):
            continue
        if value.op in (*STORES, "append") and facts.is_list(value.args[0]):
            yield value.args[1 if value.op == "append" else 2]


def _block(body: tuple[Stmt, ...], facts: Facts) -> Iterator[Stmt]:
    """The statements; not by with_blocks, for which equal ones are the same."""
    for stmt in body:
        if isinstance(stmt, Branch):
            then, orelse = (tuple(_block(b, facts)) for b in (stmt.then, stmt.orelse))
            yield replace(stmt, then=then, orelse=orelse)
        elif isinstance(stmt, Loop):
            yield replace(stmt, body=tuple(_block(stmt.body, facts)))
        elif isinstance(stmt, Let) and stmt.note.derived:
            yield replace(stmt, value=_added(stmt.value, facts))
        else:
            yield stmt


def _added(store: Expr, facts: Facts) -> Expr:
    if not isinstance(store, Apply) or store.op not in STORES or len(store.args) < 3:
        return store
    base, key, value, *rest = store.args
    entries = facts.entries_of(base) if facts.is_list(base) else None
    if entries is None or entries.rank != 0:
        return store
    if not isinstance(value, Apply) or value.op not in ADDITIVE:
        return store
    place = getitem(base, key)
    first, second = value.args
    if first != place and value.op == "numpy.add":
        first, second = second, first
    if first != place:
        return store
    op, less = value.op, without_minus(second)
    if op == "numpy.add" and less is not None:
        op, second = "numpy.subtract", less
    new = Apply(op, (first, second), (), IN_PLACE)
    return replace(store, args=(base, key, new, *rest))

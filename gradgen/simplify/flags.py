"""Flags of branches as the tests that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Merge
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import COMPARISONS, LENGTHS
from gradgen.ir.walk import (
    lets,
    own_expressions,
    reads,
    statements,
    subexpressions,
    substitute,
    substitute_everywhere,
    with_blocks,
)

LOGIC = frozenset(["and", "or", "not"])
PLAIN = COMPARISONS | LOGIC | LENGTHS
YES, NO = Const(True), Const(False)


def flags(function: Function) -> Function:
    """The function whose flags are tests, and no results of branches.

        before:  if kind == "call":
                     p = 2 * x
                     has_p = True
                 else:
                     has_p_new = kind == "put"
                     if kind == "put":
                         p = 3 * x
                     has_p = has_p_new
                 if not has_p:
                     raise UnboundLocalError("p has no value")
        after:   if kind == "call":
                     p = 2 * x
                 elif kind == "put":
                     p = 3 * x
                 if not (kind == "call" or kind == "put"):
                     raise UnboundLocalError("p has no value")

    A flag is read by tests alone: `a or b` is one of the values of a and b. What it is
    made of are comparisons of what has a value before the branch.
    """
    if not any(_merges_flags(stmt) for stmt in statements(function.body)):
        return function
    found: dict[Var, Expr] = {}
    made = {let.var: let.value for let in lets(function.body)}
    body = tuple(_block(function.body, _tested(function), made, found))
    every = {var: _resolved(value, found) for var, value in found.items()}
    return substitute_everywhere(replace(function, body=body), every)


def _merges_flags(stmt: Stmt) -> bool:
    return isinstance(stmt, Branch) and any(
        one in (YES, NO) for merge in stmt.merges for one in (merge.then, merge.orelse)
    )


def _tested(function: Function) -> set[Var]:
    """The variables that tests alone read, and what is handed on to such."""
    values = [*function.values, *(one.value for one in function.results)]
    elsewhere = {var for value in values for var in reads(value)}
    handed: list[tuple[Var, set[Var]]] = []
    for stmt in statements(function.body):
        if isinstance(stmt, Branch):
            for merge in stmt.merges:
                handed.append((merge.var, {*reads(merge.then), *reads(merge.orelse)}))
            continue
        for value in own_expressions(stmt):
            is_logic = isinstance(value, Apply) and value.op in LOGIC
            if not (is_logic and isinstance(stmt, Let)):
                elsewhere |= set(reads(value))
    grown = True
    while grown:
        more = {v for var, given in handed if var in elsewhere for v in given}
        grown = not more <= elsewhere
        elsewhere |= more
    return {var for var, _ in handed} - elsewhere


def _block(
    body: Iterable[Stmt],
    tested: set[Var],
    made: Mapping[Var, Expr],
    found: dict[Var, Expr],
) -> Iterator[Stmt]:
    """A block without its flags, which are `found`; `made` is what variables are."""
    for stmt in body:
        stmt = with_blocks(stmt, lambda b: tuple(_block(b, tested, made, found)))
        if isinstance(stmt, Branch):
            test = replace(stmt, test=_resolved(stmt.test, made))
            kept: list[Merge] = []
            for merge in stmt.merges:
                value = _as_test(merge, test, found) if merge.var in tested else None
                if value is None:
                    kept.append(merge)
                else:
                    found[merge.var] = value
            if len(kept) < len(stmt.merges):
                stmt = replace(stmt, merges=tuple(kept))
        yield stmt


def _as_test(merge: Merge, branch: Branch, found: Mapping[Var, Expr]) -> Expr | None:
    """The test that a flag stands for; None for what is more than that."""
    if not _is_plain(branch.test):  # a try is none
        return None
    then = _before(merge.then, branch.then, found)
    orelse = _before(merge.orelse, branch.orelse, found)
    if then is None or orelse is None:
        return None
    if then == YES:
        return branch.test if orelse == NO else _logic("or", branch.test, orelse)
    if orelse == NO:
        return _logic("and", branch.test, then)
    if then == NO:
        unless = _logic("not", branch.test)
        return unless if orelse == YES else _logic("and", unless, orelse)
    return None


def _before(value: Expr, arm: Iterable[Stmt], found: Mapping[Var, Expr]) -> Expr | None:
    """A flag of an arm by what has a value before that; None for what computes."""
    made = {**found, **{let.var: let.value for let in arm if isinstance(let, Let)}}
    inside = {var for stmt in arm for var in _defined(stmt)}
    value = _resolved(value, made)
    if value in (YES, NO):
        return value
    return value if _is_plain(value) and inside.isdisjoint(reads(value)) else None


def _is_plain(test: Expr) -> bool:
    """Whether a test compares what has a name, and lengths."""
    nodes = [one for one in subexpressions(test) if isinstance(one, Apply)]
    return bool(nodes) and all(one.op in PLAIN for one in nodes)


def _defined(stmt: Stmt) -> Iterator[Var]:
    for one in statements((stmt,)):
        if isinstance(one, Let):
            yield one.var
        elif isinstance(one, Branch):
            yield from (merge.var for merge in one.merges)


def _resolved(value: Expr, made: Mapping[Var, Expr]) -> Expr:
    """A test with those of its arm in it."""
    while True:
        known = {
            var: made[var]
            for var in reads(value)
            if made.get(var) in (YES, NO)
            or getattr(made.get(var), "op", "") in COMPARISONS | LOGIC
        }
        if not known:
            return value
        value = substitute(value, known)


def _logic(op: str, *args: Expr) -> Apply:
    """a or b or c of a and b or c."""
    parts: list[Expr] = []
    for one in args:
        parts += one.args if isinstance(one, Apply) and one.op == op != "not" else [one]
    return Apply(op, tuple(parts), (), "operator")

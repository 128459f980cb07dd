"""Masks that are written out several times where they are read by, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import STORES
from gradgen.ir.walk import lets, substitute_everywhere, with_blocks
from gradgen.rules.load import operations


def keys_once(primal: Function) -> Function:
    """The primal with each mask computed once, however often it is written out.

    before:  out[~zero] = y[~zero] * np.log(mu[~zero])
    after:   other = ~zero; out[other] = y[other] * np.log(mu[other])

    So all that is read by one mask is known to be as long, and the way back reads
    that mask alone. The others stay, unread.
    """
    keys = set(_keys(primal))
    found: dict[Var, Expr] = {}

    def block(body: Iterable[Stmt], known: Mapping[Expr, Var]) -> Iterator[Stmt]:
        here = dict(known)
        for stmt in body:
            if isinstance(stmt, Let) and _is_mask(stmt.value):
                first = here.setdefault(stmt.value, stmt.var)
                again = first != stmt.var and stmt.var.origin is Origin.TEMP
                if again and stmt.var in keys:
                    found[stmt.var] = Ref(first)
            if isinstance(stmt, (Branch, Loop)):
                stmt = with_blocks(stmt, lambda inner: block(inner, dict(here)))
            yield stmt

    body = tuple(block(primal.body, {})) if keys else primal.body
    if not found:
        return primal
    return substitute_everywhere(replace(primal, body=body), found)


def _keys(primal: Function) -> Iterator[Var]:
    """The variables that arrays are read by, or stored at."""
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op in ("getitem", *STORES):
            if isinstance(value.args[1], Ref):
                yield value.args[1].var


def _is_mask(value: Expr) -> bool:
    """Whether a value is one test of names and constants, entry by entry."""
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or rule.kind != "boolean" or not isinstance(value, Apply):
        return False
    plain = all(isinstance(arg, (Ref, Const)) for arg in value.args)
    return plain and value.spelling != "augmented"

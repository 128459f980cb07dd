"""Which variables are surely whole arrays that the text itself has made."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Var
from gradgen.ir.operators import ARRAY_PRODUCTS, LIKES, MADE, OF_FIRST, STORES
from gradgen.ir.sharing import Sharing, viewed
from gradgen.ir.walk import reads, statements
from gradgen.rules.traits import is_ufunc

_MADE = {*ARRAY_PRODUCTS, *LIKES, *MADE, *OF_FIRST}


def fresh(function: Function) -> frozenset[Var]:
    """The variables whose memory an operation has made, and which may be written to.

    A view is none, since it may be read-only; nor is what a function returns that may
    hand back its argument, nor what a call is given whose callback may read it later.
    What a loop or a branch leaves is one where every way is.
    """
    sharing, handed = Sharing(function.body), set()
    ways: dict[Var, list[Expr]] = {}
    for stmt in statements(function.body):
        if isinstance(stmt, Let):
            ways[stmt.var] = [stmt.value]
            if stays(stmt.value):
                handed |= {sharing.root(var) for var in reads(stmt.value)}
        elif isinstance(stmt, Branch):
            for merge in stmt.merges:
                ways[merge.var] = [merge.then, merge.orelse]
        elif isinstance(stmt, Loop):
            for slot in stmt.carried:
                ways[slot.inner] = ways[slot.exit] = [slot.entry, slot.next]
    found = {var for var in ways if sharing.root(var) not in handed}
    while True:
        left = {
            v for v in found if all(is_made(w, found.__contains__) for w in ways[v])
        }
        if left == found:
            return frozenset(found)
        found = left


def is_made(value: Expr, is_fresh: Callable[[Var], bool]) -> bool:
    """Whether a value is an array of its own, or one of those that are fresh."""
    if isinstance(value, Ref):
        return is_fresh(value.var)
    if not isinstance(value, Apply):
        return False
    out = dict(value.kwargs).get("out")
    if out is not None:
        return is_made(out, is_fresh)
    changed = (*STORES, "accumulate")
    if value.op in changed or value.spelling == "augmented":
        return is_made(value.args[0], is_fresh)
    if viewed(value):
        return False
    return is_ufunc(value.op) or value.op in _MADE

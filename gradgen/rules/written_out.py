"""The adjoint of a list that is written out: that of each of its entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import reads
from gradgen.rules.lengths import total


def spread(target: Expr, value: Expr, op: str) -> Iterator[tuple[Var, Expr]]:
    """The variables in a list in a list, each with its adjoint.

    before:  d[[a, [b, 1.0]]] = d[z][0]
    after:   d[a] = d[z][0, 0]
             d[b] = d[z][0, 1, 0]
    """
    if isinstance(target, Ref):
        yield target.var, value
        return
    sequence = isinstance(target, Apply) and target.op in ("tuple", "list")
    assert sequence and isinstance(target, Apply) and isinstance(value, Apply), op
    for i, part in enumerate(target.args):
        if any(True for _ in reads(part)):
            yield from spread(part, _entry(value, i, op), op)


def _entry(value: Apply, i: int, op: str) -> Apply:
    """value[i], of a value that is x[k] itself: x[k, i], but x[k][i] of a list.

    Of a slice from the place a on it is x[a + i].
    """
    if op == "list" or value.op != "getitem":
        return Apply("getitem", (value, Const(i)))
    base, key = value.args
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    first, *others = items
    if (
        isinstance(first, Apply)
        and first.op == "slice"
        and first.args[2] == Const(None)
    ):
        start = first.args[0] if first.args[0] != Const(None) else Const(0)
        assert not isinstance(start, Const) or start.value >= 0, "from the front"
        place = total([start, Const(i)])
        new = Apply("tuple", (place, *others)) if others else place
        return replace(value, args=(base, new))
    if all(isinstance(item, Const) and type(item.value) is int for item in items):
        return replace(value, args=(base, Apply("tuple", (*items, Const(i)))))
    return Apply("getitem", (value, Const(i)))

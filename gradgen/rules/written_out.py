"""The adjoint of a list that is written out: that of each of its entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import reads


def spread(target: Expr, value: Expr, op: str) -> Iterator[tuple[Var, Expr]]:
    """The variables in a list in a list, each with its adjoint.

    before:  d[[a, [b, 1.0]]] = d[z][0]
    after:   d[a] = d[z][0, 0]
             d[b] = d[z][0, 1, 0]

    Raises GradgenError where the adjoint is not an entry of an array.
    """
    if isinstance(target, Ref):
        yield target.var, value
        return
    sequence = isinstance(target, Apply) and target.op in ("tuple", "list")
    if not sequence or not isinstance(value, Apply) or value.op != "getitem":
        raise GradgenError(
            "GG304",
            f"no gradient for {op.removeprefix('numpy.')} of a list in a list",
            advice="np.array(...) of the inner lists",
        )
    for i, part in enumerate(target.args):
        if any(True for _ in reads(part)):
            yield from spread(part, _entry(value, i, op), op)


def _entry(value: Apply, i: int, op: str) -> Apply:
    """value[i], of a value that is x[k] itself: x[k, i], but x[k][i] of a list."""
    if op == "list":
        return Apply("getitem", (value, Const(i)))
    base, key = value.args
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    if all(isinstance(item, Const) and type(item.value) is int for item in items):
        return replace(value, args=(base, Apply("tuple", (*items, Const(i)))))
    return Apply("getitem", (value, Const(i)))

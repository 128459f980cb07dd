"""How the places of an array are written: X[i][j] of rows, and range(n)."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.ir.nodes import Apply, Const, Expr


def by_rows(node: Any, items: list[Any]) -> Any:
    """X[i][j], and X[i][:3, j]: behind a part the places are of other axes."""
    parts = [k for k, item in enumerate(items) if isinstance(item, gast.Slice)]
    first = parts[0] if parts else len(items)
    for item in items[:first]:
        node = gast.Subscript(node, item, gast.Load())
    rest = items[first:]
    if not rest:
        return node
    key = gast.Tuple(rest, gast.Load()) if len(rest) > 1 else rest[0]
    return gast.Subscript(node, key, gast.Load())


def is_chain(key: Expr) -> bool:
    return isinstance(key, Apply) and key.op == "chain"


def short_range(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """range(n) for range(0, n, 1)."""
    start, stop, step = args
    if step != Const(1):
        return args
    return (stop,) if start == Const(0) else (start, stop)

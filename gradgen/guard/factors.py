"""The factors of a product: above and below the line, and what they are zero with."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.walk import children, is_static, static, with_children

SIGNED = ("numpy.negative", "numpy.divide")
# views that only name the axes anew: the variable behind them is guarded
VIEWS = {"numpy.transpose", "numpy.expand_dims", "numpy.reshape", "numpy.broadcast_to"}


def numerators(expr: Expr) -> Iterator[Expr]:
    """The factors of a product, without denominators."""
    if isinstance(expr, Apply) and expr.op == "numpy.multiply":
        for arg in expr.args:
            yield from numerators(arg)
    elif isinstance(expr, Apply) and expr.op in SIGNED:
        yield from numerators(expr.args[0])
    else:
        yield expr


def denominators(expr: Expr) -> Iterator[Expr]:
    """What a product is divided by."""
    if not isinstance(expr, Apply):
        return
    if expr.op == "numpy.divide":
        yield expr.args[1]
    if expr.op in SIGNED:
        yield from denominators(expr.args[0])
    elif expr.op == "numpy.multiply":
        for arg in expr.args:
            yield from denominators(arg)


def with_factor(expr: Expr, old: Ref, new: Expr) -> Expr:
    """A product with one of its factors replaced."""
    if expr == old:
        return new
    if isinstance(expr, Apply) and expr.op == "numpy.multiply":
        args = tuple(with_factor(arg, old, new) for arg in expr.args)
        return with_children(expr, (*args, *(value for _, value in expr.kwargs)))
    if isinstance(expr, Apply) and expr.op in SIGNED:
        first, *rest = children(expr)
        return with_children(expr, (with_factor(first, old, new), *rest))
    return expr


def zero_with(expr: Apply) -> int | None:
    """The one argument that an operation is zero with, None where it has none."""
    if expr.op in ("numpy.negative", "numpy.abs"):
        return 0
    if expr.op in VIEWS or expr.op == "getitem" and _only_axes(expr.args[1]):
        return 0
    if expr.op == "numpy.multiply":
        one, other = expr.args
        for at, constant in ((1, one), (0, other)):
            if is_static(constant) and abs(static(constant)) >= 1:
                return at
    return None


def _only_axes(key: Expr) -> bool:
    """Whether a key takes all entries: [:, None], [None, ...]."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    whole = (Const(None), Const(Ellipsis))
    return all(i in whole or is_static(i) and static(i) == slice(None) for i in items)

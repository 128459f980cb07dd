"""Indices that take an axis of length 1 away, or put one in."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.shapes.infer import Facts

WHOLE = Apply("slice", (Const(None),) * 3)


def dropped(key: Expr, rank: int | None = None) -> tuple[int, ...] | None:
    """The axes that an index of zeros and full slices drops.

    before:  [:, 0]    [..., 0] of three axes
    after:   (1,)      (2,)
    """
    items = _items(key, rank)
    if items is None or any(item not in (WHOLE, Const(0)) for item in items):
        return None
    return tuple(i for i, item in enumerate(items) if item == Const(0))


def put_back(expr: Apply, inner: Apply, facts: Facts) -> Expr:
    """x for x[..., 0][:, :, None], where the axis has the length 1.

    before:  np.sum(d * x, axis=2, keepdims=True)[..., 0][:, :, None]
    after:   np.sum(d * x, axis=2, keepdims=True)
    """
    x = inner.args[0]
    dims = facts.of(x).dims
    if dims is None:
        return expr
    axes = dropped(inner.args[1], len(dims))
    if not axes or any(dims[axis].number != 1 for axis in axes):
        return expr
    items = _items(expr.args[1], len(dims) - len(axes))
    if items is None or any(item not in (WHOLE, Const(None)) for item in items):
        return expr
    behind = len(dims) - len(items)  # x[None] has all of the other axes behind
    whole = (*items, *[WHOLE] * behind)
    found = tuple(i for i, item in enumerate(whole) if item == Const(None))
    return x if found == axes else expr


def _items(key: Expr, rank: int | None) -> tuple[Expr, ...] | None:
    """What an index says of each axis, with the axes that `...` stands for."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    if Const(...) not in items:
        return tuple(items)
    if rank is None or items.count(Const(...)) > 1:
        return None
    at = items.index(Const(...))
    said = sum(item not in (Const(None), Const(...)) for item in items)
    return (*items[:at], *[WHOLE] * (rank - said), *items[at + 1 :])

"""Which variables without axes may be arrays all the same: x += y changes those."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Stmt, Var
from gradgen.ir.operators import IN_PLACE
from gradgen.ir.sharing import viewed
from gradgen.ir.walk import joins, statements

# operations that make an array of rank 0 where others make a number
MAKERS = {
    f"numpy.{name}"
    for name in (
        "apply_along_axis array asanyarray ascontiguousarray asarray asfortranarray broadcast_to choose "
        "copy cov einsum empty empty_like expand_dims full full_like i0 nan_to_num "
        "ndarray ones ones_like pad piecewise reshape roll select squeeze tensordot tile "
        "transpose where zeros zeros_like"
    ).split()
} | {"helper._unbroadcast", "scipy.special.polygamma"}


def boxed(body: Iterable[Stmt], given: Iterable[Var] = ()) -> set[Var]:
    """The variables that may stand for such an array; those `given` do.

    before:  g = np.zeros_like(s); h = g; t = 2 * h
    after:   {g, h}
    """
    ways: list[tuple[Var, Expr]] = []
    for stmt in statements(body):
        if isinstance(stmt, Let):
            ways.append((stmt.var, stmt.value))
        else:
            ways.extend(joins(stmt))
    found = set(given)
    while True:
        size = len(found)
        for var, value in ways:  # in the order of the program: loops alone ask again
            if var not in found and _is_boxed(value, found):
                found.add(var)
        if len(found) == size:
            return found


def _is_boxed(value: Expr, found: set[Var]) -> bool:
    if isinstance(value, Ref):
        return value.var in found
    if not isinstance(value, Apply):
        return False
    if value.op in MAKERS:
        return True
    if value.op in (*IN_PLACE, "numpy.astype") or value.spelling == "augmented":
        return _is_boxed(value.args[0], found)
    if value.op == "getitem":
        for key in reversed(_keys(value.args[1])):
            parts = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
            if key != Const(...):
                return Const(...) in parts  # else an entry is a number
    return any(_is_boxed(arg, found) for arg in viewed(value))


def _keys(key: Expr) -> tuple[Expr, ...]:
    """The keys of x[i][j], from the first on; one of x[i]."""
    return key.args if isinstance(key, Apply) and key.op == "chain" else (key,)

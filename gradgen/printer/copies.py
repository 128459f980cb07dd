"""How what may not be changed in place is copied first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import TURNS, Sharing, viewed
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL

SEEDS = (Origin.SEED, Origin.TANGENT)


def copy_of(value: Expr, rank: int | None, facts: Facts, number: bool) -> Apply:
    """A copy of an array, or of what is viewed of one; +x of a `number`.

    x       x.copy(), and np.copy(x) where no rank is known
    x.T     np.copy(x.T)
    """
    # a number, or an array of rank 0, of which it makes a number
    if rank == 0 and number:
        return Apply("numpy.positive", (value,), spelling="operator")
    if rank is None or _is_turned(value, facts):
        return Apply("numpy.copy", (value,))
    return Apply("numpy.copy", (value,), spelling="method:copy")


def of_seed(copied: Apply, rank: int | None, has_axes: bool) -> Apply:
    """1.0 * d_y for d_y.copy(), of a seed, or a view of one, which is stored into.

    Whoever hands it over may have made it of whole numbers, as a row of an identity:
    what is stored would be cut off. Of unknown rank it is 1.0 * np.copy(d_y), as it may
    be a list, and np.copy(1.0 * d_y) where nothing tells that it has axes: a product of
    numbers is none that may be stored into.
    """
    whole = copied.args[0]
    if rank or copied.op != "numpy.copy":
        return _floats(whole)
    return _floats(copied) if has_axes else replace(copied, args=(_floats(whole),))


def _floats(value: Expr) -> Apply:
    return Apply("numpy.multiply", (Const(1.0), value), spelling="operator")


def with_axes(body: Iterable[Stmt], facts: Facts, sharing: Sharing) -> set[Var]:
    """The variables whose memory is surely no number's, as entries are stored by places."""
    found = set()
    for let in lets(body):
        if not isinstance(let.value, Apply) or let.value.op not in STORES:
            continue
        base, key = let.value.args[:2]
        # x[None][0] is an entry of what may be a number
        made = facts.definitions.get(base.var) if isinstance(base, Ref) else None
        is_view = isinstance(made, Apply) and bool(viewed(made))
        if isinstance(base, Ref) and not is_view and _is_place(key, facts):
            found.add(sharing.root(base.var))
    return found


def _is_place(key: Expr, facts: Facts) -> bool:
    """Whether a key is one of arrays with axes: x[i], x[1:], x[0, ...]."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return any(
        isinstance(item, Apply)
        and item.op == "slice"
        or facts.kind(item) in INTEGRAL
        and facts.rank(item) == 0
        for item in items
    )


def _is_turned(value: Expr, facts: Facts) -> bool:
    """Whether a view has its axes in another order; np.copy keeps it so.

    x.T.copy() does not, and sums over it would go through its entries in
    another order than the primal's.
    """
    base: Expr | None = value
    while True:
        if isinstance(base, Ref):
            base = facts.definitions.get(base.var)
        if not isinstance(base, Apply) or not viewed(base):
            return False
        if base.op in TURNS:
            return True
        base = viewed(base)[0]

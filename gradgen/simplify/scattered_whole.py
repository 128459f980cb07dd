"""What np.add.at adds along several axes of places has these axes."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import call, getitem
from gradgen.ir.walk import map_lets
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts


def scattered_whole(function: Function, facts: Facts) -> Function:
    """The function whose gradient stretches nothing along places of a vector.

        before:  np.add.at(d_x, rows, d_total)
        after:   np.add.at(d_x, rows, np.broadcast_to(d_total, np.shape(rows)))

    where x is (n), rows (m, k) and d_total (k).

    NumPy reads a vector as if it were as long as there are places: it adds what stands
    behind it in memory, or stops where it ends.
    """

    def whole(let: Let) -> Let:
        value = let.value
        if not let.note.derived or not isinstance(value, Apply) or value.op != "add_at":
            return let
        base, key, added = value.args
        places = _places(key)
        if places is None or not _is_stretched(base, key, added, places, facts):
            return let
        # of which nothing is known may be a slice
        is_all = facts.rank(base) == 1 and facts.rank(places) is not None
        is_all = is_all and Const(None) not in _items(key)
        read = places if is_all else getitem(base, key)
        added = call("numpy.broadcast_to", added, call("numpy.shape", read))
        return replace(let, value=replace(value, args=(base, key, added)))

    body = map_lets(function.body, whole)
    return function if body == function.body else replace(function, body=body)


def _places(key: Expr) -> Expr | None:
    """The one array of places of a key: k of x[k], x[k,] and x[..., k]."""
    named = [item for item in _items(key) if item not in (Const(...), Const(None))]
    return named[0] if len(named) == 1 else None


def _items(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)


def _is_stretched(
    base: Expr, key: Expr, added: Expr, places: Expr, facts: Facts
) -> bool:
    """Whether a vector may be added along more than one axis of places of a vector."""
    axes = facts.rank(call("numpy.asarray", places))
    if facts.rank(base) not in (None, 1) or axes in (0, 1):
        return False
    if facts.rank(added) is None and _has_axes(added, facts):
        return False
    return facts.rank(added) in (None, 1) and not facts.same(added, getitem(base, key))


def _has_axes(value: Expr, facts: Facts) -> bool:
    """Whether a value that is computed entry by entry surely has two axes or more."""
    if (facts.rank(value) or 0) > 1:
        return True
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or rule.kind != "elementwise" or not isinstance(value, Apply):
        return False
    return any(_has_axes(arg, facts) for arg in value.args)

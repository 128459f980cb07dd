"""Changes in place that raise where the result has no room, or that need another dtype."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr
from gradgen.ir.operators import getitem
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, equal, join, ranked

# x[key] = value and x[key] += value
INTO = ("setitem", "additem")


def may_grow(value: Expr, facts: Facts) -> bool:
    """Whether x + y may need more room than x has, where x += y raises."""
    if not isinstance(value, Apply) or value.spelling != "augmented":
        return False
    base = value.args[0]
    own = facts.of(base)
    if facts.rank(base) == 0:
        return False
    try:
        return not equal(_needed(value, facts), own)
    except ShapeConflict:
        return True


def may_not_fit(value: Expr, facts: Facts) -> bool:
    """Whether a change in place may raise, since what goes in has no room.

    >>> from gradgen.ir.nodes import Apply, Const, Ref, Var, Origin
    >>> from gradgen.shapes.kinds import Kind
    >>> from gradgen.shapes.shape import ranked
    >>> x, y = (Var(i, name, Origin.USER) for i, name in enumerate("xy"))
    >>> shapes = {x: ranked("n", 1), y: ranked("n", "m")}
    >>> facts = Facts(shapes, {x: Kind.LIKE, y: Kind.LIKE})
    >>> args = Ref(x), Const(...), Ref(y)
    >>> may_not_fit(Apply("setitem", args), facts)
    True
    >>> may_not_fit(Apply("setitem", (Ref(y), Const(...), Ref(x))), facts)
    False
    """
    if not isinstance(value, Apply):
        return False
    if value.spelling == "augmented":
        return may_grow(value, facts)
    if value.op not in INTO or facts.is_list(value.args[0]):
        return False
    into, added = _place(value, facts), facts.of(value.args[2])
    return into != SCALAR and not added <= into


def refuse_growth(value: Expr, facts: Facts) -> None:
    """Raises ShapeConflict where a change in place surely has no room."""
    if not isinstance(value, Apply):
        return
    if value.spelling == "augmented":
        if facts.rank(value.args[0]) != 0:
            _refuse_wider(_needed(value, facts), facts.of(value.args[0]))
    elif value.op in INTO and not facts.is_list(value.args[0]):
        into, added = _place(value, facts), facts.of(value.args[2])
        if into.dims is None or added.dims is None:
            return
        dims = list(added.dims)
        while len(dims) > len(into.dims) and dims[0] == ONE:
            dims.pop(0)
        if into.dims or dims:
            _refuse_wider(join(into, ranked(*dims)), into)


def _needed(value: Apply, facts: Facts) -> Shape:
    """The shape of x + y, of a statement x += y."""
    return facts.of(replace(value, spelling="operator"))


def _place(value: Apply, facts: Facts) -> Shape:
    """The shape of what is stored into."""
    return facts.of(getitem(value.args[0], value.args[1]))


def _refuse_wider(needed: Shape, own: Shape) -> None:
    if needed.dims is None or own.dims is None:
        return
    wider = len(needed.dims) > len(own.dims) or any(
        room == ONE and _is_more(dim)
        for dim, room in zip(reversed(needed.dims), reversed(own.dims))
    )
    if wider:
        shown = ", ".join(str(dim) for dim in needed.dims)
        into = ", ".join(str(dim) for dim in own.dims)
        raise ShapeConflict(
            f"a result of shape ({shown}) does not fit into an array of shape ({into})",
            "x = x + y, which makes a new array",
        )


def _is_more(dim: Dim) -> bool:
    """Whether a length is taken to be another one than 1: n is, n - 1 may be 1."""
    if dim.number is not None:
        return dim.number != 1
    return dim.symbol is not None and dim.symbol[0] not in "#?"


def widens(value: Expr, facts: Facts) -> bool:
    """Whether a sum has another dtype than the array that is added to."""
    if not isinstance(value, Apply) or value.op != "accumulate":
        return False
    kinds = [facts.kind(arg) for arg in value.args[:2]]
    return kinds[1] > kinds[0]

"""The call of a function as it was read, in the form that its rule is for."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import FORMS, IN_ORDER, UFUNC_METHODS


def as_written(
    op: str, spelling: str, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]
) -> Apply:
    """The call of a function that was read, in the form that its rule is for.

    before:  np.clip(x, max=1), np.add.accumulate(x, axis=(1,)), np.where(mask)
    after:   np.clip(x, None, 1), np.cumsum(x, axis=1), np.nonzero(mask)
    """
    names = IN_ORDER.get(op, ())[len(args) - 1 :] if args else ()
    if any(name in names for name, _ in kwargs):
        given = dict(kwargs)
        kwargs = tuple(pair for pair in kwargs if pair[0] not in names)
        args += tuple(given.get(name, Const(None)) for name in names)
    form = FORMS.get((op, len(args) + len(kwargs)))
    if form:
        return Apply(form, args, kwargs, spelling or f"name:{op}")
    if (spelling or op).endswith(".accumulate"):
        args = (*args[:1], *map(_only, args[1:2]), *args[2:])
        kwargs = tuple((k, _only(v) if k == "axis" else v) for k, v in kwargs)
    if UFUNC_METHODS.get(spelling.removeprefix("name:")) == op:
        if len(args) < 2 and "axis" not in dict(kwargs):
            kwargs = (*kwargs, ("axis", Const(0)))
    return Apply(op, args, kwargs, spelling)


def _only(axis: Expr) -> Expr:
    """The axis of np.add.accumulate, which may be given as a tuple of one: 0 of (0,)."""
    if isinstance(axis, Const) and isinstance(axis.value, tuple):
        return Const(axis.value[0]) if len(axis.value) == 1 else axis
    if isinstance(axis, Apply) and axis.op == "tuple" and len(axis.args) == 1:
        return axis.args[0]
    return axis

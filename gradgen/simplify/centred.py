"""Deviations from a mean that the primal has computed are read by its gradient."""

from __future__ import annotations


from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Role, Stmt, Var
from gradgen.ir.walk import map_expressions, rewrite, static, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

MEAN = "numpy.mean"


def centred(function: Function, facts: Facts) -> Function:
    """The function whose gradient reads x - mean, where the user has written that.

        before:  mean = np.mean(x, axis=0)
                 gap = x - mean
                 d_x = d_v * (x - np.mean(x, axis=0, keepdims=True))
        after:   mean = np.mean(x, axis=0)
                 gap = x - mean
                 d_x = d_v * gap

    The gradient of a variance or a standard deviation needs it: beside the user's
    x - mean it is the same array.
    """
    wanted = any(
        _is_deviation(node)
        for let in function.body
        if isinstance(let, Let) and let.note.derived
        for node in subexpressions(let.value)
    )
    if not wanted:
        return function
    known: dict[tuple[Expr, Expr], Var] = {}

    def change(node: Expr) -> Expr:
        if not _is_deviation(node) or not isinstance(node, Apply):
            return node
        mean = node.args[1]
        assert isinstance(mean, Apply)
        var = known.get((mean.args[0], dict(mean.kwargs).get("axis", Const(None))))
        return node if var is None else Ref(var)

    # in forward mode the statements of the primal stand between the others
    body: list[Stmt] = []
    for stmt in function.body:
        if stmt.note.derived and known:
            (stmt,) = map_expressions((stmt,), lambda expr: rewrite(expr, change))
        elif isinstance(stmt, Let) and stmt.note.role is Role.FORWARD:
            found = deviation(stmt.value, facts)
            if found is not None:
                known.setdefault(found, stmt.var)
        body.append(stmt)
    return replace(function, body=tuple(body)) if known else function


def _is_deviation(node: Expr) -> bool:
    """Whether it is x - np.mean(x, axis=k, keepdims=True)."""
    if not isinstance(node, Apply) or node.op != "numpy.subtract":
        return False
    x, mean = node.args
    if not isinstance(mean, Apply) or mean.op != MEAN or mean.args != (x,):
        return False
    given = {name: one for name, one in mean.kwargs if one != Const(None)}
    return given.keys() <= {"axis", "keepdims"} and given.get("keepdims") == Const(True)


def deviation(value: Expr, facts: Facts) -> tuple[Expr, Expr] | None:
    """The array and the axis of x - mean, as the user has written it."""
    if not isinstance(value, Apply) or value.op != "numpy.subtract":
        return None
    x, mean = value.args
    made = facts.definitions.get(mean.var) if isinstance(mean, Ref) else mean
    if not isinstance(made, Apply) or made.op != MEAN or made.args[:1] != (x,):
        return None
    given = dict(made.kwargs)
    if len(made.args) == 2:
        given["axis"] = made.args[1]
    axis, keeps = given.get("axis", Const(None)), given.get("keepdims", Const(False))
    if len(made.args) > 2 or not given.keys() <= {"axis", "keepdims"}:
        return None
    leading = keeps == Const(True) or _is_leading(axis)
    return (x, axis) if leading and equal(facts.of(value), facts.of(x)) else None


def _is_leading(axis: Expr) -> bool:
    """Whether what is left of the axes stands last, as NumPy aligns it."""
    try:
        axes = static(axis)
    except ValueError:
        return False
    if axes is None:
        return True
    axes = (axes,) if isinstance(axes, int) else axes
    return sorted(axes) == list(range(len(axes)))

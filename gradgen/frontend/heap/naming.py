"""The names that values get in the text: those of the user."""

from __future__ import annotations

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Const, Expr, Origin, Ref, Var


def named(lowering: Lowering, value: Expr, name: str, mark: int) -> Expr:
    """The value under the user's name: its last operation takes the name."""
    name_leaf(lowering, value, name)
    if isinstance(value, Ref) and is_own(lowering, value, mark):
        return lowering.wish(value.var, name)
    # A plain number keeps its name as well; other constants are inlined.
    if isinstance(value, Const) and type(value.value) is float:
        ref = lowering.emit(value, name, None, Origin.USER)
        lowering.memory.numbers.add(ref.var)
        return ref
    return value


def name_leaf(lowering: Lowering, value: Expr, name: str) -> None:
    """Takes the first name that the user gives a leaf for its name.

    One that several leaves get, as in `for key, v in p.items()`, names none of them:
    those of a dictionary are called what their keys are.
    """
    if not isinstance(value, Ref) or value.var not in lowering.leaf_names:
        return
    if value.var.id in lowering.renamed:
        return
    held = [
        var
        for var in lowering.leaf_names
        if var.id in lowering.renamed and lowering.known_name(var) == name
    ]
    if not held or not all(_is_keyed(lowering, var) for var in (*held, value.var)):
        lowering.wish(value.var, name, Origin.PARAM)
        return
    for var in (*held, value.var):
        lowering.wish(var, lowering.leaf_names[var], Origin.PARAM)


def _is_keyed(lowering: Lowering, var: Var) -> bool:
    """Whether a leaf is called what its key is: p["W1"]."""
    path = lowering.leaf_paths.get(var, ("",))
    return bool(lowering.leaf_names[var] == path[-1])


def is_own(lowering: Lowering, value: Ref, mark: int) -> bool:
    """Whether a variable was made by this statement and has no name yet."""
    var = lowering.renamed.get(value.var.id, value.var)
    return var.id > mark and var.origin is Origin.TEMP

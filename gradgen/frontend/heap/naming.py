"""The names that values get in the text: those of the user."""

from __future__ import annotations

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Const, Expr, Origin, Ref


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
    """Takes the first name that the user gives a leaf for its name."""
    if isinstance(value, Ref) and value.var in lowering.leaf_names:
        if value.var.id not in lowering.renamed:
            lowering.wish(value.var, name, Origin.PARAM)


def is_own(lowering: Lowering, value: Ref, mark: int) -> bool:
    """Whether a variable was made by this statement and has no name yet."""
    var = lowering.renamed.get(value.var.id, value.var)
    return var.id > mark and var.origin is Origin.TEMP

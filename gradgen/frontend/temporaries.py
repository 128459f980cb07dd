"""The names that subexpressions wish for: X * Y -> XY, np.sum(XY) -> XY_sum."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr, Ref

# Longer names are joined by an underscore.
SHORT = 2


def temporary_name(value: Apply) -> str:
    """The name a person would give the operation's result, or "" for none."""
    names = [_name(arg) for arg in value.args]
    if value.op in ("numpy.multiply", "numpy.matmul") and all(names):
        short = all(len(name) <= SHORT for name in names)
        return ("" if short else "_").join(names)
    if not names or not names[0] or value.spelling == "operator":
        return ""
    word = value.op.rpartition(".")[2]
    if value.spelling.startswith("attribute:"):
        word = value.spelling.partition(":")[2]
    if len(names) == 1 or not any(isinstance(arg, Ref) for arg in value.args[1:]):
        return f"{names[0]}_{word}"
    return ""


def _name(expr: Expr) -> str:
    return expr.var.name if isinstance(expr, Ref) else ""

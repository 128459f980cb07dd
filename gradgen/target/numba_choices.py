"""A choice between two numbers, for numba: x if condition else y."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind


def arms_of(choice: Apply, facts: Facts) -> tuple[Expr, ...]:
    """A condition and its two values, floats if one is: where it runs as Python as well."""
    if facts.kind(choice) < Kind.WEAK:
        return choice.args
    return tuple(
        Const(float(arg.value))
        if isinstance(arg, Const) and type(arg.value) is int
        else arg
        for arg in choice.args
    )

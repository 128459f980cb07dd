"""Functions of Python's math: they take numbers, and give one."""

from __future__ import annotations

from gradgen.ir.nodes import Apply
from gradgen.ir.operators import MATH

OF_MATH = frozenset(MATH.values())
OF_ARRAYS = ("name:numpy.", "name:scipy.")


def is_of_math(expr: Apply) -> bool:
    """Whether an operation is spelled as one of math: math.sin(x), m.sin(x)."""
    spelling = expr.spelling
    if not spelling.startswith("name:") or "." not in spelling:
        return False
    return expr.op in OF_MATH and not spelling.startswith(OF_ARRAYS)

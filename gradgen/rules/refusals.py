"""What the words of the rules ask of a constant argument, and how they refuse."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.ir.walk import static


def constant_value(expr: Expr, name: str) -> Any:
    """The value of the argument called `name`; GradgenError when not constant."""
    try:
        return static(expr)
    except ValueError:
        refusal(f"an argument {name}= that is not a constant", f"a literal {name}=")


def refusal(what: str, advice: str) -> NoReturn:
    """Raises the error of a gradient that there is none of."""
    raise GradgenError("GG302", f"no gradient for {what}", advice=advice)


def sort_of_dtype(dtype: Expr) -> str:
    """The letter that numpy gives the sort of a dtype argument: f, i, u, b, c.

    The dtype of an array counts as that of a floating one.
    """
    if names_dtype(dtype):
        return "f"
    try:
        kind: str = numpy.dtype(constant_value(dtype, "dtype")).kind
    except (TypeError, ValueError):  # a string that is no dtype
        refusal("this dtype=", "np.float64")
    return kind


def names_dtype(dtype: Expr) -> bool:
    """Whether a dtype argument is an array's, x.dtype, not a dtype by name."""
    if isinstance(dtype, Ref):
        return dtype.var.origin is not Origin.PARAM
    return isinstance(dtype, Apply)

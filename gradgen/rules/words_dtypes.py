"""Words of rules about what a dtype argument asks for."""

from __future__ import annotations

from collections.abc import Callable

import numpy

from gradgen.ir.nodes import Const, Expr
from gradgen.rules.refusals import constant_value, names_dtype, refusal, sort_of_dtype
from gradgen.rules.words_parts import Rank


def floating(rank: Rank, dtype: Expr) -> Expr:
    """floating(dtype_): whether that is a floating or complex dtype."""
    sort = sort_of_dtype(dtype)
    if sort not in "fciub":
        refusal("a cast to this dtype", "np.float64")
    return Const(sort in "fc")


def double(rank: Rank, dtype: Expr) -> Expr:
    """double(dtype_): whether that is float64, as Python's float is, by its name."""
    if names_dtype(dtype):
        return Const(False)
    return Const(numpy.dtype(constant_value(dtype, "dtype")) == numpy.float64)


DTYPES: dict[str, Callable[..., Expr]] = {
    function.__name__: function for function in (floating, double)
}

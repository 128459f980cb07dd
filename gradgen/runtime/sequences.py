"""Lists, tuples and ranges of numbers as the arrays that they are to a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradgen.runtime.arguments import leaves_of
from gradgen.signature.abstract import Array, abstract

# of what a list is made that is an array of numbers
NUMBERS = (bool, int, float, complex)


def sort_of(value: Any) -> str:
    """The sort of an array, or a list, of whole numbers or booleans, else nothing."""
    known = abstract(as_array(value, False))
    whole = isinstance(known, Array) and known.sort in ("int", "bool")
    return known.sort if whole and isinstance(known, Array) else ""


def as_array(value: Any, in_wrt: bool) -> Any:
    """A list, tuple or range of numbers as the array that it is to a text.

    Whole numbers `in_wrt` count as floats; held ones are what they are.
    """
    if not isinstance(value, (list, tuple, range)) or hasattr(value, "_fields"):
        return value
    if not isinstance(value, range):
        leaves = list(leaves_of(value))
        if not leaves or not are_numbers(leaves):
            return value
    try:
        found = np.asarray(value)
    except ValueError:  # rows of several lengths
        return value
    return found.astype(float) if in_wrt and found.dtype.kind in "iub" else found


def are_numbers(leaves: list[Any]) -> bool:
    """Whether values are Python's numbers, or NumPy's of one dtype: list(np.ones(3)).

    Python's floats may stand among those of float64: an array has them as well.
    """
    kinds = {type(leaf) for leaf in leaves}
    if kinds <= {*NUMBERS} or kinds == {float, np.float64}:
        return True
    return len(kinds) == 1 and isinstance(leaves[0], np.number | np.bool_)

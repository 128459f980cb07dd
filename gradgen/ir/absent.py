"""None that the user's code gives, and None for want of a value.

A name that one arm of a branch, or the time before a loop, leaves without a value is
None there: nothing is printed. `mode = None` is printed.
"""

from __future__ import annotations

from gradgen.ir.nodes import Const, Expr


def as_written(value: Expr) -> Expr:
    """None as a value that the user's code gives; other values as they are."""
    is_none = isinstance(value, Const) and value.value is None
    return Const(None, "None") if is_none else value


def is_absent(value: Expr) -> bool:
    """Whether there is no value on some way: None that nobody has written."""
    return isinstance(value, Const) and value.value is None and value.text is None


class Withheld:
    """What a function returns that has no seed, and that no text gives back."""


# a list of tuples of a length that is not known, among results: the caches of layers
WITHHELD = Const(Withheld())
# what the structure of a result tells of it
NO_SEED = ":withheld"

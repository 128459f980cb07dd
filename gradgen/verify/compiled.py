"""A text that is compiled, beside NumPy's text of the same request.

NumPy's text is measured by differences. What numba makes of the file itself is called
with the arguments of these measurements, and has to give what NumPy's text gave: the
same values to rounding, shapes, dtypes, and nan where there is nan.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import update_wrapper
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from gradgen.runtime.arithmetic import REFUSED
from gradgen.frozen import dataclass

# so many calls of each form of arguments are tried again; a new form is compiled anew
EACH = 4
# relative to the largest entry: sums of loops are taken in another order
ROUNDING = {"float32": 1e-3, "complex64": 1e-3}
CLOSE = 1e-7


@dataclass
class Recorded:
    """A function that keeps some of its calls, with what it returned."""

    function: Callable[..., Any]
    calls: dict[str, list[tuple[Any, Any, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        update_wrapper(self, self.function)

    def __call__(self, *args: Any, **named: Any) -> Any:
        kept = self.calls.setdefault(_form((args, named)), [])
        given = copy.deepcopy((args, named)) if len(kept) < EACH else None
        found = self.function(*args, **named)
        if given is not None:
            kept.append((*given, copy.deepcopy(found)))
        return found


def has_compiler() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def compared(recorded: Recorded, compiled: Callable[..., Any]) -> tuple[str, str]:
    """How a compiled function differs from what was recorded, and what was compared.

    The first is "" where it does not differ. numba multiplies arrays of one dtype: where
    np.zeros(n) is in the function, calls with float32 are none that it compiles.
    """
    forms = len(recorded.calls)
    left, why = forms, ""
    for kept in recorded.calls.values():
        try:
            for args, named, want in kept:
                got = compiled(*args, **named)
                pairs = zip(_leaves(want), _leaves(got), strict=True)
                told = next(filter(None, (_difference(*pair) for pair in pairs)), "")
                if told:
                    return told, ""
        except _errors() as error:
            left, why = left - 1, f"{type(error).__name__}: {error}"
        except Exception as error:  # a file edited by hand may do anything
            if str(error).endswith(REFUSED):  # an option that this text is not for
                left, why = left - 1, f"{type(error).__name__}: {error}"
                continue
            return f"compiled, it fails with {type(error).__name__}: {error}", ""
    if why and not left:
        return f"it is not compiled: {why}", ""
    return "", f"compiled with numba for {left} of {forms} kinds of arguments"


def _errors() -> type[Exception]:
    """What numba raises where it does not compile a function."""
    errors: type[Exception] = import_module("numba.core.errors").NumbaError
    return errors


def _form(value: Any) -> str:
    """What numba compiles a function for: dtypes and ranks, not lengths."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_form, value))})"
    if isinstance(value, dict):
        return _form(list(value.values()))
    ones = [n == 1 for n in np.shape(value)]
    return f"{type(value).__name__}{getattr(value, 'dtype', '')}{ones}"


def _leaves(value: Any) -> Iterator[Any]:
    """The arrays and numbers in a result."""
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, dict):
        yield from _leaves(list(value.values()))
    else:
        yield value


def _difference(want: Any, got: Any) -> str:
    """How one array or number differs from another."""
    one, other = np.asarray(want), np.asarray(got)
    # a number of numba's is Python's, whichever NumPy's is
    if one.shape != other.shape or one.ndim and one.dtype != other.dtype:
        kinds = f"{other.dtype} {other.shape}"
        return f"compiled, a result is of type {kinds}, not {one.dtype} {one.shape}"
    if one.dtype.kind not in "fc":
        return "" if np.array_equal(one, other) else f"compiled, {other} is not {one}"
    finite = np.isfinite(one)
    if not np.array_equal(finite, np.isfinite(other)):
        return "compiled, other entries are finite"
    largest = np.max(np.abs(one[finite]), initial=0.0)
    off = np.max(np.abs(one[finite] - other[finite]), initial=0.0)
    if off <= ROUNDING.get(str(one.dtype), CLOSE) * largest:
        return ""
    return f"compiled, a result is off by {off:.1e} of {largest:.1e}"

"""Numbers of NumPy's as constants: their dtype takes part in promotion (NEP 50)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradgen.ir.nodes import Const

# the dtypes whose numbers are constants: what they hold, a Python number holds too
DTYPES = frozenset(
    "float16 float32 float64 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
)


def strong_constant(value: object, text: str | None = None) -> Const | None:
    """A number of NumPy's as a constant; None for another value.

    before:  np.float32(0.5)
    after:   Const(0.5, dtype="float32")
    """
    if not isinstance(value, np.generic) or str(value.dtype) not in DTYPES:
        return None
    return Const(value.item(), text, str(value.dtype))


def number_of(const: Const) -> Any:
    """The value of a constant, a number of NumPy's as one.

    before:  Const(200, dtype="uint8")
    after:   np.uint8(200)
    """
    if not const.dtype:
        return const.value
    return np.dtype(const.dtype).type(const.value)


def maker_of(value: Any, dtype: str) -> tuple[str, Any]:
    """The name that makes a number of a dtype, and the digits that it is made of.

    before:  0.30000001192092896, "float32"
    after:   ("np.float32", 0.3)
    """
    number = np.dtype(dtype).type(value)
    shortest = float(str(number)) if number.dtype.kind == "f" else number.item()
    return "np.bool_" if dtype == "bool" else f"np.{dtype}", shortest

"""The text of a constant: the user's digits or the shortest ones, as black has them."""

from __future__ import annotations

import math

from gradgen.errors import InternalError
from gradgen.quoting import string_literal


def literal(value: object, spelling: str | None = None) -> str:
    """The literal of a value; a number may have been spelled by the user.

    A negative number starts with "-", a complex one with both parts is a sum:
    the caller sees to their parentheses.
    """
    if value is None or value is ...:
        return "..." if value else "None"
    if isinstance(value, (str, bytes)):
        return string_literal(value)
    if isinstance(value, tuple):  # a key of a dictionary
        items = ", ".join(map(literal, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    number = as_python(value)
    if isinstance(number, bool):
        return repr(number)
    if spelling is not None:
        return _normal(spelling)
    if not isinstance(number, complex):
        return _normal(repr(number))
    sign = "-" if math.copysign(1, number.imag) < 0 else ""
    imaginary = _normal(repr(complex(0, abs(number.imag))))
    if number.real:
        return f"{_normal(repr(number.real))} {sign or '+'} {imaginary}"
    return sign + imaginary


def as_python(value: object) -> bool | int | float | complex:
    """The finite bool, int, float or complex that a constant, of NumPy's too, is."""
    number = value.item() if hasattr(value, "item") else value
    if not isinstance(number, (bool, int, float, complex)):
        raise InternalError(f"a constant of type {type(value).__name__} has no literal")
    if not isinstance(number, int) and not math.isfinite(abs(number)):
        raise InternalError(f"{number} has no literal")
    return number


def _normal(digits: str) -> str:
    """A number's digits as black leaves them."""
    digits = digits.lower()
    if digits.startswith("0x"):
        return f"0x{digits[2:].upper()}"
    number, e, exponent = digits.partition("e")
    end = "j" if number.endswith("j") else ""
    whole, point, rest = number.removesuffix("j").partition(".")
    number = f"{whole or 0}.{rest or 0}" if point else whole
    return number + end + e + exponent.removeprefix("+")

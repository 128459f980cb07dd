"""Numbers with a sign before them, as constants."""

from __future__ import annotations

from gradgen.ir.nodes import Const, Expr


def signed(sign: str, operand: Expr) -> Const | None:
    """A number with a sign before it as a constant, None for another operand.

    `text` has the signs before the user's spelling: "-1e-8", "-np.pi", "~MASK".
    """
    if not isinstance(operand, Const) or operand.dtype:
        return None
    value, text = operand.value, operand.text
    if sign == "Invert":
        if type(value) is int:
            return Const(~value, text and f"~{text}")
        return None
    if type(value) is bool:
        value, text = int(value), None
    if type(value) not in (int, float):
        return None
    if sign == "UAdd":
        return Const(value, text)
    if text is not None and text.startswith("-"):
        return Const(-value, text[1:])
    return Const(-value, text and f"-{text}")

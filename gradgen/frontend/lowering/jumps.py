"""The names, which no text can have, that jumps are kept under."""

from __future__ import annotations

from gradgen.ir.nodes import Const

GONE, STOP, BROKE, RETURNED, RESULT = (
    "%gone", "%stop", "%broke", "%returned", "%result",
)  # fmt: skip
# the names that the values of jumps wish for
WISHES = {GONE: "done", STOP: "done", BROKE: "found", RETURNED: "done", RESULT: "out"}
TRUE, FALSE = Const(True), Const(False)


def flag_of(name: str) -> str:
    """The name, which no text can have, that tells whether a name has a value."""
    return f"has_{name}."


def tells_of_value(name: str) -> bool:
    """Whether a name tells whether another has a value."""
    return name.startswith("has_") and name.endswith(".")

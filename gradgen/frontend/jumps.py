"""The names, which no text can have, that jumps are kept under."""

from __future__ import annotations

from gradgen.ir.nodes import Const

GONE, STOP, BROKE, RETURNED, RESULT = (
    "%gone", "%stop", "%broke", "%returned", "%result",
)  # fmt: skip
# the names that the values of jumps wish for
WISHES = {GONE: "done", STOP: "done", BROKE: "found", RETURNED: "done", RESULT: "out"}
TRUE, FALSE = Const(True), Const(False)

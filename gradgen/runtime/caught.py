"""Errors that a function raises and handles, where the text of its derivative raises.

Of a try block a text has the body alone (frontend/language/with_and_try.py), and what that raises is
raised. Where the function handles it and goes on, the text is of another function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from gradgen.errors import GradgenError

LIBRARIES = ("numpy", "scipy")


def unless_handled(primal: Callable[[], Any], error: Exception) -> None:
    """Runs the function, whose own error comes first; refuses where it handles one.

    `error` is what the text raised. Raises GG113 where the function raised such an
    error on its way, and ended all the same.
    """
    kind = type(error)
    raised: list[tuple[str, int]] = []

    def watched(frame: Any, event: str, arg: Any) -> Any:
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if module in LIBRARIES:
            return None
        if event == "exception" and issubclass(arg[0], kind):
            raised.append((frame.f_code.co_name, frame.f_lineno))
        return watched

    before = sys.gettrace()
    sys.settrace(watched)
    try:
        primal()
    finally:
        sys.settrace(before)
    if raised:
        name, line = raised[0]
        raise GradgenError(
            "GG113",
            f"{kind.__name__} is raised in line {line}, in {name}, and handled: the "
            "gradient does not go on there",
            advice="a test before what raises it, in place of the try block",
        ) from None

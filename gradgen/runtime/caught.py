"""Errors that a function raises and handles, where the text of its derivative raises.

Of a try block a text has the body alone (frontend/language/with_and_try.py), and what that raises is
raised. Where the function handles it and goes on, the text is of another function.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from gradgen.errors import GradgenError
from gradgen.ir.handled import Handled

LIBRARIES = ("numpy", "scipy")


def unless_caught(primal: Callable[[], Any], places: Iterable[Handled]) -> None:
    """Runs the function; refuses where it goes into the handler of a try block.

    The text has the bodies of these alone, and leaves out what no gradient reads. What
    the function shows was shown when the text ran. Raises what the function raises.
    """
    places, names = tuple(places), {one.file for one in places}
    found: list[tuple[str, str, int]] = []

    def watched(frame: Any, event: str, arg: Any) -> Any:
        file = _path(frame.f_code.co_filename)
        if event == "exception" and file in names:
            if any(one.takes(arg[0], file, frame.f_lineno) for one in places):
                found.append((arg[0].__name__, frame.f_code.co_name, frame.f_lineno))
        return watched

    def entered(frame: Any, event: str, arg: Any) -> Any:
        if _path(frame.f_code.co_filename) not in names:
            return None
        frame.f_trace_lines = False
        return watched

    silent = io.StringIO()
    before = sys.gettrace()
    with contextlib.redirect_stdout(silent), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.settrace(entered)
        try:
            primal()
        finally:
            sys.settrace(before)
    if found:
        _refuse(*found[0])


@functools.cache
def _path(file: str) -> str:
    return file if file.startswith("<") else os.path.abspath(file)


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
        _refuse(kind.__name__, *raised[0])


def _refuse(kind: str, name: str, line: int) -> NoReturn:
    raise GradgenError(
        "GG113",
        f"{kind} is raised in line {line}, in {name}, and handled: the gradient does "
        "not go on there",
        advice="a test before what raises it, in place of the try block",
    ) from None

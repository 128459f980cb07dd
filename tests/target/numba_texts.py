"""Texts for numba as functions: run as Python, or compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from types import SimpleNamespace

AS_PYTHON = SimpleNamespace(njit=lambda **options: lambda function: function)


@contextmanager
def without_numba():
    """Lets a text be run as the Python that it is, where its decorator does nothing."""
    before = sys.modules.get("numba")
    sys.modules["numba"] = AS_PYTHON
    try:
        yield
    finally:
        del sys.modules["numba"]
        if before is not None:
            sys.modules["numba"] = before


def function_of(text: str, compiled: bool = False) -> Callable:
    """The last function of a text, the derivative; nothing is kept beside a file."""
    names: dict = {"__name__": "alone"}
    code = compile(text.replace("cache=True, ", ""), "<text>", "exec")
    if compiled:
        exec(code, names)
    else:
        with without_numba():
            exec(code, names)
    kinds = ("function", "CPUDispatcher")
    return [f for f in names.values() if type(f).__name__ in kinds][-1]

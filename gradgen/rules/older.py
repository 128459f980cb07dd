"""The oldest NumPy that a text is for, which a few rules depend on."""

from __future__ import annotations

from contextvars import ContextVar

import numpy

_asked: ContextVar[str] = ContextVar("asked", default="")


def count_on(version: str) -> None:
    """Says which NumPy the next texts are for; "" is the one that runs here."""
    _asked.set(version)


def before_2() -> bool:
    """Whether a text may meet a NumPy older than 2.0."""
    return any(
        version.startswith(("0.", "1."))
        for version in (numpy.__version__, _asked.get())
    )

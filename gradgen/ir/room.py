"""Room for long expressions: what reads a user's text goes as deep as it is nested."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Frames of Python. A sum of 2,000 terms takes four for each; a frame that C stands
# behind takes less than 300 bytes of a stack of 8 megabytes.
FRAMES = 12_000
# The depth and the collector are the interpreter's: one text at a time has the room.
_ONE = threading.RLock()


@contextmanager
def room() -> Iterator[None]:
    """Lets calls be nested as deep as a long expression of the user's needs.

    The collector of cycles waits meanwhile: nodes have none, and are many.
    """
    with _ONE:
        yield from _room()


def _room() -> Iterator[None]:
    before, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(before, FRAMES))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if collects:
            gc.enable()

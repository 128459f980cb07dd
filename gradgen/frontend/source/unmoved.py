"""The working directory while a module is imported, which may change it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def unmoved() -> Iterator[None]:
    """Comes back to the working directory that what is run inside may leave.

    Files are named from it, in texts and in messages.
    """
    try:
        place = os.getcwd()
    except FileNotFoundError:
        place = os.sep
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.chdir(place)

"""Calls that end after some seconds, and say nothing meanwhile."""

from __future__ import annotations

import contextlib
import io
import signal
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

SECONDS = 60  # of computing, whatever else the machine does


class TookTooLong(BaseException):
    """A door took longer than SECONDS."""


@contextlib.contextmanager
def limited(seconds: int = SECONDS) -> Iterator[None]:
    """An exception after so many seconds; warnings, prints and numpy's errors unseen."""

    def stop(*_: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            with contextlib.redirect_stdout(io.StringIO()):
                yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

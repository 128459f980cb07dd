"""A limit on the time that a foreign function may take."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


# Seconds that a primal may take: one that does not end is not measured.
LONGEST = 5.0


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in a block that takes longer.

    Without a limit where there are no timers (Windows), or outside the main thread. A
    limit around this one that ends sooner is kept.
    """
    timers = hasattr(signal, "setitimer")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return
    if 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= seconds:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    rest = signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, rest)
        signal.signal(signal.SIGALRM, before)

"""A limit on the time that a foreign function may take."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Seconds that a primal may take: one that does not end is not measured.
LONGEST = 5.0
SLEEPY = 4


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in a block that computes for longer, or waits SLEEPY times so long.

    What others do on the machine does not count. Without a limit where there are no timers (Windows), or outside the main thread. A
    limit around this one that ends sooner is kept.
    """
    timers = hasattr(signal, "setitimer")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return
    if 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= seconds:
        yield
        return

    start, began = time.process_time(), time.monotonic()

    def stop(number: int, frame: FrameType | None) -> None:
        left = seconds - (time.process_time() - start)
        if left > 0.01 and time.monotonic() - began < SLEEPY * seconds:
            signal.setitimer(signal.ITIMER_REAL, left)
        else:
            raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    rest = signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, rest)
        signal.signal(signal.SIGALRM, before)

"""`python -m gradgen` is the command `gradgen`: Ctrl-C ends it in silence at once.

While modules are loaded an interrupt would be a traceback of Python's own. Until the
command runs, which catches interrupts itself, the process just ends.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Runs the command line and leaves the process with its exit code."""
    _leave_out_folder()
    import signal

    # A job in the background of a shell ignores interrupts, and goes on doing so.
    heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeds:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # what loading makes stays
    from gradgen import cli

    gc.freeze()
    gc.enable()
    # Python that runs within the collector breaks what parses a text (SystemError):
    # what a module of the user's appends is not called in the command's process
    gc.callbacks = []
    if heeds:
        cli.main(before=_heed)
    else:
        cli.main()


def _leave_out_folder() -> None:
    """`python -m` looks for all modules in the working directory, `gradgen` does not.

    A file secrets.py there would be run where the command loads Python's own.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        here = os.getcwd()
    except FileNotFoundError:
        return
    if here != package and sys.path[:1] == [here]:
        del sys.path[0]


def _heed() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    main()

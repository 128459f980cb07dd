"""Many tasks, each in a process of its own that starts from the same state.

A function's module is imported to be read, and a second one of the same name, or a
neighbour that both import, would be mistaken for the first: so no process serves two.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

INTERRUPTED = 130
GRACE = 1.0  # seconds to leave a process before it is killed


class Ended(Exception):
    """A process ended without an answer; what it did is the argument: "ended with 7"."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    function: Callable[..., Any],
    tasks: Sequence[Any],
    jobs: int,
    preload: Sequence[str] = (),
) -> Iterator[tuple[int, object]]:
    """(position, function(task)) for each task, as they come in, `jobs` at a time.

    A result is an exception where the function raised one, or Ended. The modules
    named in `preload` are imported once for all. When the caller stops, by an
    interrupt too, the processes are ended.
    """
    import multiprocessing.connection  # most commands start no process

    wait = multiprocessing.connection.wait
    context: Any = multiprocessing.get_context(_method())
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload(list(preload))
    waiting = list(enumerate(tasks))[::-1]
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                position, task = waiting.pop()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(
                    target=_run, args=(function, task, theirs), daemon=True
                )
                process.start()
                theirs.close()
                running[ours] = position, process
            for ours in cast("list[Connection]", wait(list(running))):
                position, process = running.pop(ours)
                yield position, _answer(ours, process)
    finally:
        for _, process in running.values():
            process.terminate()
        for ours, (_, process) in running.items():
            process.join(GRACE)
            process.kill()
            process.join()
            ours.close()


def _method() -> str:
    """How processes start: from a prepared one, where there are such."""
    try:
        tempfile.gettempdir()  # for its socket; there is none on a full disk
    except FileNotFoundError:
        return "spawn"
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    return "forkserver" if "forkserver" in methods else "spawn"


def _answer(ours: Connection, process: BaseProcess) -> object:
    try:
        return ours.recv()
    except EOFError:
        process.join()
        return Ended(f"ended with {process.exitcode}")
    finally:
        ours.close()
        process.join()


def _run(function: Callable[..., Any], task: object, theirs: Connection) -> None:
    """What a process does: one task. Only the command itself heeds Ctrl-C.

    When that ends a process, no temporary file is left.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(INTERRUPTED))
    # What a user's module prints when it is imported is no result of the command.
    os.dup2(2, 1)
    own, above = os.getpid(), os.getppid()
    try:
        answer = function(task)
    except Exception as error:
        answer = error
    except BaseException as error:  # a module may raise what no command heeds
        answer = Ended(f"ended with {type(error).__name__}")
    if os.getppid() != above:  # where the command's own reads it, that is the command
        answer = Ended("ended the process that had started it")
    if os.getpid() != own:  # a copy that the module has made, and left to go on
        return
    try:
        theirs.send(answer)
    except Exception:  # what cannot be pickled is told by its words
        theirs.send(RuntimeError(f"{type(answer).__name__}: {answer}"))

"""What a user's module does while it is read stays apart from the command's result.

Code goes to standard output, and reading a function runs its module: what that prints,
at once, later, at exit, by a subprocess or by C, may not stand in the code; and where
it ends Python, the command has to say so. So the module is read in a forked process
whose standard output is standard error; the text comes back through a pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

import click

from gradgen.errors import GradgenError, words_of
from gradgen.frontend.source.raised import raised_by_user

T = TypeVar("T")
# what the command line gives its context where the process is its own
OWN = "a process of its own"
GRACE = 5.0  # seconds for a module's threads and exit functions
POLL = 0.05
STOPPED = 1.0  # seconds to wait for a process that is stopped, while this one runs
SIZE = 8  # bytes that tell the length of an answer
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
# Forked, a Mac's own libraries crash.
FORKS = hasattr(os, "fork") and sys.platform != "darwin"


class Fault(Exception):
    """A fault of gradgen in the other process; the argument is its traceback."""


def alone(make: Callable[[], T]) -> T:
    """What `make` returns, which runs code of the user's.

    Raises what it raises; GradgenError where the code ends its process. Called from a
    program, not from the command line, it stays in the program's process.
    """
    if not is_apart():
        with contextlib.redirect_stdout(sys.stderr):
            return make()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of NumPy's, which are prepared
        pid = os.fork()
    if pid == 0:
        os.close(ours)
        _answer(make, theirs)
    os.close(theirs)
    try:
        answer = _received(ours, pid)
    except BaseException:
        _end(pid, signal.SIGTERM, 1.0)
        raise
    finally:
        os.close(ours)
    if isinstance(answer, BaseException):
        raise answer
    return cast(T, answer[0])


def is_apart() -> bool:
    """Whether `alone` gives what it runs a process of its own."""
    context = click.get_current_context(silent=True)
    return FORKS and context is not None and context.find_root().obj == OWN


def hold_standard_streams() -> None:
    """Opens what of the three standard streams is closed, on nothing.

    Another file would take the place, and what is meant for the stream would end in it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _answer(make: Callable[[], Any], pipe: int) -> NoReturn:
    """Sends what comes of `make`, and ends the process as Python ends one."""
    known, own = os.fstat(pipe), os.getpid()
    os.dup2(2, 1)
    _die_with_parent()
    answer: Any
    try:
        answer = (make(),)
    except GradgenError as error:
        answer = error
    except KeyboardInterrupt:
        answer = KeyboardInterrupt()  # a subclass of the user's is not known here
    except Exception as error:
        answer = _told_of(error) or Fault(traceback.format_exc())
    except SystemExit:
        raise
    except BaseException as error:  # a class of the user's own
        told = f"its process raised {type(error).__name__} while the function was read"
        answer = GradgenError("GG035", told)
    if os.getpid() != own:  # a copy that the module has made, and left to go on
        raise SystemExit(0)
    try:
        data = pickle.dumps(answer)
    except Exception:
        data = pickle.dumps(Fault(traceback.format_exc()))
    data = len(data).to_bytes(SIZE, "big") + data
    with contextlib.suppress(OSError):
        # A module may have closed all that it did not open, and opened other files.
        if os.path.samestat(known, os.fstat(pipe)):
            while data:
                data = data[os.write(pipe, data) :]
    raise SystemExit(0)  # not sys.exit, of which a module may have made another


def _told_of(error: Exception) -> GradgenError | None:
    """The error for what a module's own code raises, as a handler that it has set."""
    frame = raised_by_user(error)
    if frame is None:
        return None
    told = f"its process raised {words_of(error)} while the function was read"
    return GradgenError("GG035", told, file=frame.filename, line=frame.lineno)


def _received(pipe: int, pid: int) -> Any:
    """The answer of a process. Raises GradgenError where it ends without one."""
    data, ended, stopped = b"", False, 0.0
    while len(data) < SIZE or len(data) < SIZE + int.from_bytes(data[:SIZE], "big"):
        ready, _, _ = select.select([pipe], [], [], 0 if ended else POLL)
        more = os.read(pipe, 1 << 20) if ready else b""
        if ended and not more or ready and not more:
            raise GradgenError(
                "GG035",
                f"its process {_how(_end(pid, None, GRACE))} while the function was read",
            )
        data += more
        # A process that this one has started may hold the pipe open.
        ended = ended or _is_done(pid)
        number = 0 if ended else stopped_by(pid)
        stopped = (stopped or time.monotonic()) if number else 0.0
        if number and time.monotonic() - stopped > STOPPED:
            _end(pid, signal.SIGKILL, 1.0)
            told = f"its process was stopped by signal {number}"
            raise GradgenError(
                "GG035",
                f"{told} ({signal.strsignal(number)}) while the function was read",
            )
    _end(pid, None, GRACE)
    return pickle.loads(data[SIZE:])


def _is_done(pid: int) -> bool:
    """Whether a process has ended; its status stays for `_end`."""
    try:
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return found is not None


def stopped_by(pid: int) -> int:
    """The signal that has stopped a process, 0 where it runs; a terminal stops both."""
    try:
        found = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return 0
    return 0 if found is None else found.si_status


def _end(pid: int, how: signal.Signals | None, grace: float) -> int:
    """Waits for a process, and kills one that does not end. Its exit code."""
    deadline = time.monotonic() + grace
    with contextlib.suppress(ChildProcessError, ProcessLookupError):
        if how is not None:
            os.kill(pid, how)
        while time.monotonic() < deadline:
            if _is_done(pid):
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            time.sleep(0.002)
        os.kill(pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return 0


def _how(code: int) -> str:
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"ended with {code}"


def _die_with_parent() -> None:
    """Asks Linux to end this process when the command is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)

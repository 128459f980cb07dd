"""Commands of a program of the profile `commands`: run in a folder, with any streams.

A process that has loaded gradgen makes a copy of itself for each command, and one in
between that is the command's parent. The copy has a
session of its own, in which nothing is left when the command has ended, and heeds the
modes of files, as a user's process does. `tree` tells what a folder holds.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import stat
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.surroundings import surroundings

PATIENCE = 40.0  # seconds for one command, on however busy a machine

LOOP = """
import contextlib, ctypes, json, os, resource, runpy, signal, sys

asked, told = os.fdopen(int(sys.argv[1])), os.fdopen(int(sys.argv[2]), "w")
import gradgen.cli, gradgen.api
with contextlib.suppress(ImportError):
    import gradgen.pipeline.run
    import gradgen.commands.building, gradgen.commands.emitted, gradgen.commands.order

def heed_modes():
    # root without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH is a user like others
    header, held = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    library = ctypes.CDLL(None)
    library.capget(header, held)
    held[0] &= ~0b110
    library.capset(header, held)

def ended_with(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for line in asked:
    child = os.fork()
    if child:
        print("began", child, file=told, flush=True)
        print("done", ended_with(child), file=told, flush=True)
        continue
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = os.fork()
    if command:
        print("code", ended_with(command), file=told, flush=True)
        os._exit(0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder, arguments, streams = json.loads(line)
    for descriptor, name in enumerate(streams):
        if name:
            stream = os.open(name, os.O_WRONLY if descriptor else os.O_RDONLY)
            os.dup2(stream, descriptor)
            os.close(stream)
        else:
            os.close(descriptor)
            sys.stdout = None  # as Python starts where it is closed
    asked.close()
    told.close()
    os.chdir(folder)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # a job in the background ignores some
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with contextlib.suppress(AttributeError, OSError):
        heed_modes()
    arguments = [os.fsdecode(bytes.fromhex(word)) for word in arguments]
    sys.path[0], sys.argv[1:] = os.getcwd(), arguments
    runpy.run_module("gradgen", run_name="__main__", alter_sys=True)
    break
"""


@dataclass(frozen=True)
class Ran:
    """What came of a command; the code is None where it had no end."""

    code: int | None
    out: bytes
    err: str


class Waiting:
    """The process that waits for commands of one gradgen; `root` is its checkout."""

    def __init__(self, root: str) -> None:
        asked, self._asked = os.pipe()
        answers, told = os.pipe()
        settings = {"PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(asked), str(told)],
            cwd=root,
            env=surroundings(**settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(asked, told),
            start_new_session=True,
        )
        os.close(asked)
        os.close(told)
        self._answers = os.fdopen(answers, "rb", 0)
        atexit.register(self.end)

    def _word(self, seconds: float) -> tuple[str, int] | None:
        """What is told next, None where nothing comes."""
        if not select.select([self._answers], [], [], seconds)[0]:
            return None
        word, _, number = self._answers.readline().decode().partition(" ")
        if not number:
            raise RuntimeError("the process that waits for commands has ended")
        return word, int(number)

    def __call__(
        self, arguments: list[str], folder: Path, streams: list[str], seconds: float
    ) -> int | None:
        """The exit code of a command, None where it has no end."""
        words = [os.fsencode(word).hex() for word in arguments]
        order = [str(folder), words, streams]
        os.write(self._asked, json.dumps(order).encode() + b"\n")
        began, code, in_time = self._word(seconds), 0, True
        if began is None or began[0] != "began" or began[1] < 2:
            raise RuntimeError(f"the process that waits for commands says {began}")
        word: tuple[str, int] | None = ("", 0)
        while word is None or word[0] != "done":
            word = self._word(seconds)
            if word is None:
                in_time = False
                self._clear(began[1])
            else:  # what ends the process above the command is its end as well
                code = word[1] or code
        self._clear(began[1])
        return code if in_time else None

    @staticmethod
    def _clear(session: int) -> None:
        """Ends what is left of a command's session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(session, signal.SIGKILL)

    def end(self) -> None:
        """Ends the process, which no command keeps any more."""
        os.close(self._asked)
        self.process.wait(30)


@cache
def _waiting(root: str) -> Waiting:
    return Waiting(root)


def ran(
    engine,
    arguments: list[str],
    folder: Path,
    place: Path,
    stdin: bytes = b"",
    out: str | None = None,
    seconds: float = PATIENCE,
) -> Ran:
    """Runs `gradgen` in a folder; its streams are files of a place outside of it.

    `out` is another file for what it prints, "" for a stream that is closed.
    """
    streams = [str(place / name) for name in ("in", "out", "err")]
    for name, content in zip(streams, (stdin, b"", b"")):
        Path(name).write_bytes(content)
    given = [streams[0], streams[1] if out is None else out, streams[2]]
    root = str(Path(engine.__file__).parents[1])
    code = _waiting(root)(arguments, folder, given, seconds)
    printed, told = (Path(name).read_bytes() for name in streams[1:])
    return Ran(code, printed, told.decode("utf-8", "backslashreplace"))


def tree(folder: Path) -> dict[str, tuple[object, ...]]:
    """What stands in a folder: files by what they hold, all else by what it is."""
    found: dict[str, tuple[object, ...]] = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            about = os.lstat(path)
            sort, inside = stat.S_IFMT(about.st_mode), os.path.relpath(path, folder)
            if stat.S_ISREG(about.st_mode):
                found[inside] = (sort, about.st_mode, Path(path).read_bytes())
            elif stat.S_ISLNK(about.st_mode):
                found[inside] = (sort, os.readlink(path))
            elif stat.S_ISDIR(about.st_mode):
                found[inside] = (sort, about.st_mode)
            else:
                found[inside] = (sort, about.st_mode, about.st_ino, about.st_rdev)
    return found

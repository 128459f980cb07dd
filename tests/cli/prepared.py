"""A process that has loaded gradgen, and makes a copy of itself for each command.

A command takes a third of a second to load what it needs, and a few hundredths to do
what most tests ask of it. The copy (os.fork) is a process of its own like any other: it
has its folder, environment, standard streams and arguments, imports a test's modules
anew, and ends as the command ends.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

# What Python, its locale and BLAS read when they start: the copies have it already.
AT_THE_START = ("PYTHON", "LC_", "LANG", "OPENBLAS", "OMP_", "MKL_")
SECONDS = 60  # for one command

LOOP = """
import json, os, runpy, sys

asked, told = os.fdopen(int(sys.argv[1])), os.fdopen(int(sys.argv[2]), "w")
import gradgen.api, gradgen.cli, gradgen.pipeline.run
import gradgen.commands.building, gradgen.commands.check, gradgen.commands.emitted
import gradgen.commands.entries, gradgen.commands.noting, gradgen.commands.order
import gradgen.commands.records, gradgen.verify.finite

for line in asked:
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=told, flush=True)
        continue
    folder, arguments, environment, streams = json.loads(line)
    for descriptor, name in enumerate(streams):
        stream = os.open(name, os.O_RDWR)
        os.dup2(stream, descriptor)
        os.close(stream)
    asked.close()
    told.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0], sys.argv[1:] = os.getcwd(), arguments
    runpy.run_module("gradgen", run_name="__main__", alter_sys=True)
    break
"""


def at_the_start(environment: dict[str, str]) -> dict[str, str]:
    """The part of an environment that is read before a command begins."""
    return {k: v for k, v in environment.items() if k.startswith(AT_THE_START)}


class Prepared:
    """The process that waits; call it with what a command is given."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.started = at_the_start(environment)
        asked, self._asked = os.pipe()
        answers, told = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(asked), str(told)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(asked, told),
            start_new_session=True,
        )
        os.close(asked)
        os.close(told)
        self._answers = os.fdopen(answers)
        atexit.register(self.end)

    def __call__(
        self, arguments: tuple[str, ...], cwd: Path, env: dict[str, str], stdin: bytes
    ) -> tuple[int, bytes, bytes]:
        """The exit code of `gradgen` with these arguments, and what it printed."""
        with tempfile.TemporaryDirectory(prefix="prepared_") as place:
            streams = [os.path.join(place, name) for name in ("in", "out", "err")]
            for name, content in zip(streams, (stdin, b"", b"")):
                Path(name).write_bytes(content)
            order = [os.fspath(cwd), arguments, env, streams]
            os.write(self._asked, json.dumps(order).encode() + b"\n")
            if not select.select([self._answers], [], [], SECONDS)[0]:
                os.killpg(self.process.pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["gradgen", *arguments], SECONDS)
            answer = self._answers.readline()
            if not answer:
                raise RuntimeError("the process that waits for commands has ended")
            return int(answer), *(Path(name).read_bytes() for name in streams[1:])

    def end(self) -> None:
        """Ends the process, which no command keeps any more."""
        os.close(self._asked)
        self.process.wait(30)


@cache
def _prepared(started: tuple[tuple[str, str], ...]) -> Prepared:
    return Prepared(dict(started))


def prepared(environment: dict[str, str]) -> Prepared:
    """The process that waits in this run for commands that start like this."""
    kept = tuple(sorted(at_the_start(environment).items()))
    return _prepared(kept)

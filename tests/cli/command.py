"""gradgen(...) runs the command line in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.cli.prepared import at_the_start, prepared
from tests.surroundings import surroundings

ROOT = Path(__file__).resolve().parents[2]
# a module with a function f
IMPORT = "import numpy as np\n"
LOSS = "\n\ndef f(x):\n    return np.sum(x * x)\n"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def python(*arguments: str, cwd: Path, stdin: str = "", **environment) -> Outcome:
    """Runs Python with gradgen importable, and nothing of the tests' own settings."""
    # Sources are rewritten within a second here: a stale .pyc would be believed.
    settings = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=surroundings(**settings | environment),
        input=stdin.encode(),
        capture_output=True,
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def gradgen(*arguments: str, cwd: Path, stdin: str = "", **environment) -> Outcome:
    """Runs `gradgen` in a folder, in a process of its own that need not load it."""
    if not hasattr(os, "fork") or at_the_start(environment):
        return python("-m", "gradgen", *arguments, cwd=cwd, stdin=stdin, **environment)
    settings = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    env = surroundings(**settings | environment)
    code, out, err = prepared(env)(arguments, cwd, env, stdin.encode())
    return Outcome(code, out.decode(), err.decode())


MANY = """
import contextlib, io, json, sys
from gradgen.cli import run

for arguments in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def gradgens(commands: list[list[str]], cwd: Path) -> list[Outcome]:
    """Runs many command lines in a folder, in one process to save its starting."""
    done = python("-c", MANY, cwd=cwd, stdin=json.dumps(commands))
    return [Outcome(*json.loads(line)) for line in done.out.splitlines()]


class Session:
    """One process that runs commands as they come: call it with arguments.

    For commands that import no module of a test's own in that process, as build does.
    """

    def __init__(self) -> None:
        settings = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", LOOP],
            env=surroundings(**settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *arguments: str, cwd: Path) -> Outcome:
        self.process.stdin.write(json.dumps([str(cwd), arguments]) + "\n")
        self.process.stdin.flush()
        return Outcome(*json.loads(self.process.stdout.readline()))

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(30)


LOOP = """
import contextlib, io, json, os, sys
from gradgen.cli import run

for line in sys.stdin:
    folder, arguments = json.loads(line)
    os.chdir(folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""


def refused(outcome: Outcome, *words: str) -> bool:
    """Whether it was a refusal that says these words: code 2, stdout empty."""
    silent = outcome.code == 2 and outcome.out == ""
    plain = "Traceback" not in outcome.err
    return silent and plain and all(word in outcome.err for word in words)

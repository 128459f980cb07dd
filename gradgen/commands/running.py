"""Runs a command, and tells with which arguments it has called functions.

A `python` in the command runs through `python -m gradgen.observing`; pytest, wherever
it is started, gets a plugin by PYTEST_ADDOPTS. Nothing is installed for that.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradgen.commands.alone import alone
from gradgen.commands.terminal import say
from gradgen.commands.alone import POLL, STOPPED, stopped_by
from gradgen.errors import GradgenError
from gradgen.frontend.source.named import spec_of
from gradgen.frozen import dataclass
from gradgen.observing.watching import ASKED, VARIABLE

PYTHON = re.compile(r"(python|pypy)(\d(\.\d+)?)?(\.exe)?$")
# The plugin imports gradgen before pytest asks for its plugins, and would warn of it.
QUIET = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
ADDED = f"-p gradgen.observing.for_pytest -W '{QUIET}'"
WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")


@dataclass(frozen=True)
class Root:
    """Functions to observe: those of a file or of a folder, all or those of `names`.

    Of a folder that nobody named the tests are `spared`.
    """

    path: str
    names: tuple[str, ...] | None = None
    spared: bool = False


@dataclass(frozen=True)
class Seen:
    """The calls of one function: what was noted of each signature that was met."""

    file: str
    module: str
    name: str
    calls: tuple[dict[str, Any], ...]


def observed(command: Sequence[str], roots: Sequence[Root]) -> list[Seen]:
    """The functions that a command has called with arrays, in the order of the first calls.

    Raises GradgenError where it cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="gradgen-") as place:
        folder = Path(place)
        asked = [
            {"path": os.path.realpath(r.path), "names": r.names, "spared": r.spared}
            for r in roots
        ]
        (folder / ASKED).write_text(json.dumps({"roots": asked}), encoding="utf-8")
        plugins = f"{os.environ.get('PYTEST_ADDOPTS', '')} {ADDED}".strip()
        environment = {**os.environ, VARIABLE: place, "PYTEST_ADDOPTS": plugins}
        code = _run(with_shim(list(command)), environment)
        if code:
            say(f"note: {shlex.join(command)} ended with {code}")
        return _collected(folder)


def _run(command: list[str], environment: dict[str, str]) -> int:
    try:
        # What the command prints is no result of this one.
        output = sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        output = subprocess.DEVNULL
    try:
        with subprocess.Popen(command, env=environment, stdout=output) as process:
            try:
                return _waited(process)
            except BaseException:
                process.kill()
                raise
    except (OSError, ValueError) as error:
        raise GradgenError(
            "GG036",
            f"{command[0]} cannot be run: {getattr(error, 'strerror', error)}",
            advice="gradgen observe -- python script.py",
        ) from None


def _waited(process: subprocess.Popen[bytes]) -> int:
    """How a process ends; one that is stopped, while this one runs, is ended."""
    stopped = 0.0
    while True:
        try:
            return process.wait(POLL)
        except subprocess.TimeoutExpired:
            number = stopped_by(process.pid) if hasattr(os, "waitid") else 0
        stopped = (stopped or time.monotonic()) if number else 0.0
        if number and time.monotonic() - stopped > STOPPED:
            process.kill()
            process.wait()
            return -number


def with_shim(command: list[str]) -> list[str]:
    """The command whose Python is observed.

    before:  ["python", "-u", "run.py", "3"]
    after:   ["python", "-u", "-m", "gradgen.observing", "run.py", "3"]
    """
    for i, word in enumerate(command):
        if PYTHON.match(os.path.basename(word)):
            at = i + 1
            while at < len(command) and command[at].startswith("-"):
                if command[at] in ("-m", "-c", "-") or command[at][1:2] in "mc":
                    break
                at += 2 if command[at] in WITH_VALUE else 1
            rest = command[at:]
            if rest[:2] in (["-m", "pytest"], ["-m", "py.test"]):
                return command  # the plugin does it
            if rest and rest[0] not in ("-m", "-c") and rest[0][:2] in ("-m", "-c"):
                rest = [rest[0][:2], rest[0][2:], *rest[1:]]
            return [*command[:at], "-m", "gradgen.observing", *rest]
    return command


def _collected(folder: Path) -> list[Seen]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    modules: dict[tuple[str, str], str] = {}
    for file in sorted(folder.glob("*.seen")):
        for line in file.read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            told = json.loads(line)
            key = told["file"], told["name"]
            modules[key] = modules.get(key) or told["module"]
            calls = found.setdefault(key, [])
            if told["arguments"] not in calls:
                calls.append(told["arguments"])
    return [
        Seen(file, modules[file, name], name, tuple(calls))
        for (file, name), calls in found.items()
    ]


def roots_of(modules: Sequence[str]) -> list[Root]:
    """The files and folders of modules and packages. Raises GradgenError."""
    return [Root(_place_of(name)) for name in modules]


def root_of(target: str) -> Root:
    """The file of a function, as `gradgen emit` names it. Raises GradgenError."""
    path, colon, name = target.rpartition(":")
    if not colon:
        path, _, name = target.rpartition(".")
    return Root(roots_of([path])[0].path, (name,))


def _place_of(module: str) -> str:
    if module.endswith(".py") or os.path.isdir(module):
        if os.path.exists(module):
            return module
    found = alone(lambda: _found(module))  # which imports the packages above it
    if found is None:
        raise GradgenError(
            "GG036",
            f"there is no module {module} to observe",
            advice="a module or a package by its dotted name, or a path/file.py",
        )
    return found


def _found(module: str) -> str | None:
    """The folder of a package, the file of another module, None where there is none."""
    place = os.getcwd()
    sys.path.insert(0, place)
    try:
        spec = spec_of(module)
    finally:
        if place in sys.path:
            sys.path.remove(place)
    if spec is not None and spec.submodule_search_locations:
        return str(list(spec.submodule_search_locations)[0])
    if spec is None or spec.origin is None or not os.path.isfile(spec.origin):
        return None
    return spec.origin

"""Pages of the documentation that are run as they are written.

A fenced block of code with a title is a file: ```python title="losses.py". In a block
```console each line after "$ " is a command, and the lines below it, up to the next
command, are what it prints; "..." stands for any lines, and at the end of a line for
the rest of it. The line "exit code 1" is the
command's exit code, where it is not 0.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.surroundings import surroundings

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.M | re.S)
_EXIT = re.compile(r"^exit code (\d+)$")


@dataclass(frozen=True)
class Run:
    """A command of a page, what it says and what it did."""

    command: str
    expected: str
    code: int
    printed: str
    exited: int

    def agrees(self) -> bool:
        """Whether it printed and ended as the page says."""
        wanted = "".join(map(_pattern, self.expected.splitlines(keepends=True)))
        return self.exited == self.code and bool(re.fullmatch(wanted, self.printed))


def _pattern(line: str) -> str:
    if line == "...\n":
        return "(?:.*\n)*?"
    if line.endswith("...\n"):
        return re.escape(line.removesuffix("...\n")) + ".*\n"
    return re.escape(line)


def run_page(page: Path, folder: Path) -> Iterator[Run]:
    """Writes the files and runs the commands of a page in a folder, in order."""
    environment = _environment(folder)
    work = folder / "work"
    work.mkdir()
    for language, title, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if text.startswith("--8<--"):  # a file of this repository, shown as it is
            continue
        if title:
            path = work / title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif language == "console":
            for command, expected, code in _commands(text):
                done = subprocess.run(
                    ["bash", "-c", command],
                    cwd=work,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    timeout=120,
                )
                yield Run(command, expected, code, done.stdout, done.returncode)


def _commands(text: str) -> Iterator[tuple[str, str, int]]:
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        lines = part.splitlines(keepends=True)
        command = lines.pop(0)
        while command.endswith("\\\n"):
            command = command[:-2] + lines.pop(0).strip().removeprefix("> ") + "\n"
        code = 0
        if lines and (ending := _EXIT.match(lines[-1].rstrip("\n"))):
            code = int(ending[1])
            lines.pop()
        yield command.rstrip("\n"), "".join(lines), code


def _environment(folder: Path) -> dict[str, str]:
    """`gradgen` and `python` as this interpreter has them, and no colours."""
    programs = folder / "bin"
    programs.mkdir()
    for name, words in (
        ("gradgen", "-m gradgen "),
        ("python", ""),
        ("pytest", "-m pytest "),
    ):
        file = programs / name
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    # As pip would have it: the plugin that pytest finds by itself.
    info = folder / "site" / "gradgen-0.dist-info"
    info.mkdir(parents=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (plugin,) = project["project"]["entry-points"]["pytest11"].items()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gradgen\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[pytest11]\n{plugin[0]} = {plugin[1]}\n")
    return surroundings(
        PATH=f"{programs}:{os.environ['PATH']}",
        PYTHONPATH=f"{ROOT}:{info.parent}",
        PYTHONDONTWRITEBYTECODE="1",
        COLUMNS="88",
    )

"""Notes all that a process reads, or asks the system for, while a text is made."""

from __future__ import annotations

import functools
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any

from gradgen.commands.reads import (
    Reads,
    code_of,
    digest_of,
    is_own,
    is_project,
    kind_of,
    listing_of,
    place_of,
    variable,
)
from gradgen.commands.slices import is_numbered
from gradgen.request.settings import use_settings
from gradgen.rules.load import folder as templates
from gradgen.rules.load import helpers, operations

# Directories, other programs and the network: there is no telling what came of them.
UNSEEN = (
    "glob.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.scandir",
    "os.startfile",
    "os.system",
    "pathlib.",
    "socket.connect",
    "sqlite3.connect",
    "subprocess.Popen",
)
# No audit event tells of these. The import system has its own, and is not heard.
_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
ASKING = ("stat", "lstat", "access", "listdir")


def watch() -> Callable[[Iterable[str], str], Reads]:
    """Starts to note what this process reads; the function ends it with a list.

    It takes the words of what was asked for, and the text that came of it.

    For a process that ends soon: Python cannot take back an audit hook.
    """
    use_settings()
    # The rules' folders are listed before anything is noted.
    operations()
    helpers()
    return _Notes().ended


class _Notes:
    """What was read so far; `complete` is False once something cannot be noted."""

    def __init__(self) -> None:
        self.complete = self.watching = True
        self.files: set[str] = set()
        self.asked: set[str] = set()
        self.listed: set[str] = set()
        self.variables: set[str] = set()
        # by name and, for what stands in a package, the folders looked through
        self.searches: dict[tuple[str, tuple[str, ...] | None], None] = {}
        self.before = set(sys.modules)
        self.started = time.time_ns()
        self.finder = _Finder(self)
        sys.meta_path.insert(0, self.finder)
        _overhear_environment(self)
        for name in ASKING:
            _overhear(name, self)
        sys.addaudithook(self.heed)

    def heed(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Takes note of one audit event."""
        if not self.watching:
            return
        if event == "open":
            file, mode, _ = arguments
            if isinstance(file, (str, bytes, os.PathLike)) and _reads(mode):
                self.files.add(_source(os.path.abspath(os.fsdecode(file))))
        elif event.startswith(UNSEEN):
            self.complete = False

    def ask(self, function: str, file: object) -> None:
        """Takes note of a question about a file, or about what is in a folder."""
        if not isinstance(file, (str, bytes, os.PathLike)):
            self.complete = False
            return
        kept = self.listed if function == "listdir" else self.asked
        kept.add(os.path.abspath(os.fsdecode(file)))

    def ended(self, asked: Iterable[str], text: str) -> Reads:
        """The list of what was read; nothing is noted from now on."""
        self.watching = False
        sys.meta_path.remove(self.finder)
        loaded = [sys.modules[name] for name in set(sys.modules) - self.before]
        sources = (getattr(module, "__file__", None) for module in loaded)
        read = self.files | {os.path.abspath(source) for source in sources if source}
        # gradgen's own files are in the digest that all records are under.
        kept = sorted(file for file in read if not (is_own(file) or _is_ours(file)))
        code = [file for file in kept if is_project(file)]
        roots = sorted({word for one in asked for word in re.findall(r"\w+", one)})
        # A file that was changed meanwhile may not be the one that was read.
        quiet = not any(_changed_since(file, self.started) for file in kept)
        path = list(sys.path)
        return Reads(
            self.complete and quiet,
            {file: digest_of(file) for file in kept if file not in code},
            {file: kind_of(file) for file in sorted(self.asked)},
            {file: listing_of(file) for file in sorted(self.listed)},
            {name: variable(name) for name in sorted(self.variables)},
            [
                [name, where and list(where), place_of(name, where or path)]
                for name, where in self.searches
            ],
            path,
            code_of(code, roots, is_numbered(text)),
        )


class _Finder:
    """The first to be asked for each module: it finds none, and takes note."""

    def __init__(self, notes: _Notes) -> None:
        self.notes = notes

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> None:
        where = None if path is None else tuple(path)
        self.notes.searches[name, where] = None


def _overhear_environment(notes: _Notes) -> None:
    class Environment(type(os.environ)):  # type: ignore[misc]  # a class of os
        """The environment, with a note of what is asked for."""

        def __getitem__(self, name: Any) -> Any:
            if notes.watching:
                notes.variables.add(os.fsdecode(name))
            return super().__getitem__(name)

        def __iter__(self) -> Iterator[Any]:
            notes.complete = notes.complete and not notes.watching
            names: Iterator[Any] = super().__iter__()
            return names

    os.environ.__class__ = Environment
    if os.supports_bytes_environ:
        os.environb.__class__ = Environment


def _overhear(name: str, notes: _Notes) -> None:
    """Puts in the place of a function of os one that takes note first."""
    function = getattr(os, name)

    @functools.wraps(function)
    def noted(*arguments: Any, **options: Any) -> Any:
        if notes.watching:
            relative = options.get("dir_fd") is not None
            first = arguments[0] if arguments else options.get("path", ".")
            notes.ask(name, None if relative else first)
        return function(*arguments, **options)

    setattr(os, name, noted)
    # where shutil and others look whether a function takes an option
    for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if function in able:
            able.add(noted)


def _is_ours(file: str) -> bool:
    return file.endswith(".py") and file.startswith(
        (_PACKAGE, f"{templates()}{os.sep}")
    )


def _reads(mode: object) -> bool:
    # None for os.open, whose flags may mean anything.
    return not isinstance(mode, str) or "r" in mode or "+" in mode


def _source(file: str) -> str:
    """The source file of a compiled copy, which is read in its place."""
    try:
        return source_from_cache(file) if file.endswith(".pyc") else file
    except ValueError:
        return file


def _changed_since(file: str, moment: int) -> bool:
    try:
        return os.stat(file).st_mtime_ns >= moment
    except OSError:
        return False

"""What the making of a text has read: files, modules, variables of the environment.

A text is a function of these, of its options and of gradgen itself, so that it need
not be made again while they stay as they are. What was read in a way that cannot be
looked at again makes the list incomplete, and the text is made every time. The clock,
random numbers, and what compiled code reads are not seen.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.machinery import PathFinder
from typing import Any

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


@dataclass(frozen=True)
class Reads:
    """Digests of what was read, by file and by variable; None for what is missing.

    `modules` says which file each top-level name was found in along `path`.
    """

    complete: bool
    files: dict[str, str | None]
    environment: dict[str, str | None]
    modules: dict[str, str | None]
    path: list[str]

    def hold(self) -> bool:
        """Whether all of it would be read again as it was."""
        if not self.complete:
            return False
        return (
            all(digest_of(file) == known for file, known in self.files.items())
            and all(_variable(name) == v for name, v in self.environment.items())
            and all(_place(n, self.path) == p for n, p in self.modules.items())
        )

    def data(self) -> dict[Any, Any]:
        return asdict(self)


def watch() -> Callable[[], Reads]:
    """Starts to note what this process reads; the function ends it with a list.

    For a process that ends soon: Python cannot take back an audit hook.
    """
    files: set[str] = set()
    names: set[str] = set()
    variables: set[str] = set()
    before = set(sys.modules)
    state = {"complete": True, "watching": True}

    def heed(event: str, arguments: tuple[Any, ...]) -> None:
        if not state["watching"]:
            return
        if event == "open":
            file, mode, _ = arguments
            if isinstance(file, (str, bytes, os.PathLike)) and _reads(mode):
                files.add(os.path.abspath(os.fsdecode(file)))
        elif event == "import":
            names.add(arguments[0].partition(".")[0])
        elif event.startswith(UNSEEN):
            state["complete"] = False

    class Environment(type(os.environ)):  # type: ignore[misc]  # a class of os
        """The environment, with a note of what is asked for."""

        def __getitem__(self, name: str) -> str:
            if state["watching"]:
                variables.add(name)
            value: str = super().__getitem__(name)
            return value

        def __iter__(self) -> Iterator[str]:
            state["complete"] = state["complete"] and not state["watching"]
            names: Iterator[str] = super().__iter__()
            return names

    os.environ.__class__ = Environment
    sys.addaudithook(heed)

    def ended() -> Reads:
        state["watching"] = False
        loaded = [sys.modules[name] for name in set(sys.modules) - before]
        sources = (getattr(module, "__file__", None) for module in loaded)
        read = files | {os.path.abspath(source) for source in sources if source}
        kept = sorted(file for file in read if _counts(file))
        return Reads(
            state["complete"],
            {file: digest_of(file) for file in kept},
            {name: _variable(name) for name in sorted(variables)},
            {n: _place(n, sys.path) for n in sorted(names) if not _is_standard(n)},
            list(sys.path),
        )

    return ended


def _reads(mode: object) -> bool:
    # None for os.open, whose flags may mean anything.
    return not isinstance(mode, str) or "r" in mode or "+" in mode


def _counts(file: str) -> bool:
    """Whether a file may say something: not Python's own, and no compiled copy."""
    library = sysconfig.get_path("stdlib")
    own = file.startswith(library + os.sep) and "site-packages" not in file
    return not own and not file.endswith(".pyc") and not file.startswith("/dev/")


def _is_standard(name: str) -> bool:
    return name in sys.stdlib_module_names or name in sys.builtin_module_names


@cache
def digest_of(file: str) -> str | None:
    """The hash of a file's bytes; None where there is none to read."""
    try:
        with open(file, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()[:16]
    except OSError:
        return None


def _variable(name: str) -> str | None:
    value = os.environ.get(name)
    # Variables hold secrets, too: what is kept is a hash.
    return value and hashlib.sha256(os.fsencode(value)).hexdigest()[:16]


def _place(name: str, path: list[str]) -> str | None:
    """The file that a top-level module is found in along a path."""
    spec = PathFinder.find_spec(name, path)
    if spec is None:
        return None
    return spec.origin or ",".join(spec.submodule_search_locations or ())

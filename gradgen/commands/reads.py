"""What the making of a text has read, and whether it would be read again as it was.

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
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from gradgen.commands.files import opened
from gradgen.commands.slices import digest_of_slice, parts_of
from gradgen.frozen import dataclass


@dataclass(frozen=True)
class Reads:
    """Digests of what was read, by file and by variable; None for what is missing.

    `asked` are the files that were only looked for, and what stood there, `listed` the
    folders that were listed, with the digests of the names in them. `searches`
    are the modules that were looked for: name, the folders of the package around it
    (None for `path`), and the file that was found. `code` are the project's own
    source files, of which a part counts: see `slices`.
    """

    complete: bool
    files: dict[str, str | None]
    asked: dict[str, str]
    listed: dict[str, str | None]
    environment: dict[str, str | None]
    searches: list[Any]
    path: list[str]
    code: dict[str, Any]

    def hold(self) -> bool:
        """Whether all of it would be read again as it was."""
        if not self.complete:
            return False
        return (
            all(digest_of(file) == known for file, known in self.files.items())
            and all(kind_of(file) == known for file, known in self.asked.items())
            and all(listing_of(file) == known for file, known in self.listed.items())
            and all(variable(name) == v for name, v in self.environment.items())
            and all(place_of(n, w or self.path) == p for n, w, p in self.searches)
            and self.code == code_of(**self.code | {"digest": None})
        )

    def all_files(self) -> set[str]:
        """All files that were read."""
        return {*self.files, *self.code["files"]}

    def data(self) -> dict[Any, Any]:
        return asdict(self)


def code_of(
    files: list[str], roots: list[str], numbered: bool, digest: str | None = None
) -> dict[str, Any]:
    """Source files with the names that are asked of them, and what counts in them."""
    return {
        "files": files,
        "roots": roots,
        "numbered": numbered,
        "digest": digest_of_slice(files, roots, numbered),
    }


def is_project(file: str) -> bool:
    """Whether a file is source text that is edited here: no installed library's."""
    return file.endswith(".py") and "site-packages" not in file


def is_own(file: str) -> bool:
    """Whether a file says nothing of its own: Python's library, a device."""
    library = sysconfig.get_path("stdlib")
    own = file.startswith(library + os.sep) and "site-packages" not in file
    return own or file.startswith("/dev/")


@cache
def digest_of(file: str) -> str | None:
    """The hash of a file's bytes; None where there is none to read.

    The entries of a pyproject.toml do not count: each text has the one it is made for.
    """
    try:
        with opened(file) as stream:
            if os.path.basename(file) == "pyproject.toml":
                return _hash(_without_entries(stream.read()))
            return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
    except OSError:
        return None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _without_entries(data: bytes) -> bytes:
    """The settings of a pyproject.toml but for [[tool.gradgen.emit]]."""
    try:
        table = tomllib.loads(data.decode())
        table["tool"]["gradgen"].pop("emit", None)
        return repr(table).encode()
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return data


def forget() -> None:
    """Lets go of what files were found to hold: they may have changed since."""
    digest_of.cache_clear()
    parts_of.cache_clear()


def kind_of(file: str) -> str:
    """What stands at a path: "folder", "file", or "" for nothing."""
    if os.path.isdir(file):
        return "folder"
    return "file" if os.path.exists(file) else ""


def listing_of(folder: str) -> str | None:
    """The hash of the names in a folder, but for those that building itself makes."""
    try:
        names = set(os.listdir(folder)) - {"__pycache__", ".gradgen_cache"}
    except OSError:
        return None
    return hashlib.sha256("\0".join(sorted(names)).encode()).hexdigest()[:16]


def variable(name: str) -> str | None:
    """The hash of a variable of the environment, None where it is not set."""
    value = os.environ.get(name)
    # Variables hold secrets, too: what is kept is a hash.
    return value and hashlib.sha256(os.fsencode(value)).hexdigest()[:16]


def place_of(name: str, path: Sequence[str]) -> str | None:
    """The file that a module is found in, along a path or by another finder."""
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path)
        except Exception:  # foreign code, which fails here and there alike
            continue
        if spec is not None:
            return spec.origin or ",".join(spec.submodule_search_locations or ())
    return None

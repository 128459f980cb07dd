"""What the last build found, so that the next one need not make all texts again.

The header of a file tells of its function's own source, and not of the functions
that it calls, of rules, or of gradgen; a file beside the project does. It may be
deleted at any time, and is never committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gradgen.commands.entries import Entry
from gradgen.commands.files import replace_file, text_held
from gradgen.commands.reads import Reads, digest_of
from gradgen.request.settings import guard_setting, rule_folders

FOLDER = ".gradgen_cache"
FILE = "build.json"


class Records:
    """What is known of each entry's file in a project's folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FOLDER / FILE
        self.folder = folder
        self.setting = setting_of(folder)
        self.known: dict[str, dict[Any, Any]] = _read(self.file)

    def holds(self, entry: Entry) -> bool:
        """Whether making the entry again would surely give the text in its file."""
        known = self.known.get(entry.out)
        if known is None or known["made"] != self._made(entry):
            return False
        if known["text"] != digest_of(str(self.folder / entry.out)):
            return False
        return Reads(**known["reads"]).hold()

    def note(self, entry: Entry, reads: Reads) -> None:
        """Keeps what was read for an entry whose file is as it should be."""
        self.known[entry.out] = {
            "made": self._made(entry),
            "text": digest_of(str(self.folder / entry.out)),
            "reads": reads.data(),
        }

    def files_of(self, entry: Entry) -> set[str]:
        """The files that an entry's text was made of, where that is known."""
        reads = self.known.get(entry.out, {}).get("reads")
        return set() if reads is None else Reads(**reads).all_files()

    def forget(self, entry: Entry) -> None:
        self.known.pop(entry.out, None)

    def save(self, entries: Sequence[Entry]) -> None:
        """Writes what is known of these entries; where that fails, nothing is."""
        outs = {entry.out for entry in entries}
        kept = {out: known for out, known in self.known.items() if out in outs}
        if self.file.parent.is_symlink() or self.file.is_symlink():
            return  # which may lead out of the project
        try:
            self.file.parent.mkdir(exist_ok=True)
            ignored = self.file.parent / ".gitignore"
            if not ignored.exists():
                replace_file(str(ignored), b"*\n")
            replace_file(str(self.file), json.dumps(kept).encode())
        except OSError:
            pass  # a text that is made once more is no harm

    def _made(self, entry: Entry) -> str:
        return _digest([self.setting, *entry.arguments])


def _read(file: Path) -> dict[str, dict[Any, Any]]:
    try:
        known: dict[str, dict[Any, Any]] = json.loads(text_held(str(file)))
        for one in known.values():
            Reads(**one["reads"]), one["made"], one["text"]
        return known
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def setting_of(folder: Path) -> str:
    """The digest of all that every text depends on: gradgen, Python, rules, guard."""
    from gradgen.rules.load import folder as templates

    package = Path(__file__).resolve().parents[1]
    places = (package, templates(), *rule_folders(folder))
    files = [file for place in places for file in sorted(place.rglob("*.py"))]
    said = [f"{file}={digest_of(str(file))}" for file in files]
    said += [f"{name} {version(name)}" for name in ("numpy", "gast", "astor")]
    # Places of the command itself, and of the folder that it was called from.
    command = os.path.dirname(os.path.abspath(sys.argv[0]))
    path = [place for place in sys.path if place not in ("", command, str(folder))]
    return _digest([sys.version, *path, repr(guard_setting()), *said])


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

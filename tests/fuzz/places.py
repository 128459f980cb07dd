"""Places where a command is told to write: files, links, pipes, devices, folders.

Each function of PLACES makes one in a folder and tells what has to become of it. `away` is
a folder outside of that folder.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MINE = "# mine\nx = 1\n"


@dataclass(frozen=True)
class Texts:
    """What may stand in a file: the text itself, an older one of gradgen's."""

    made: str
    older: str
    source: str = "m.py"  # the file of the function


@dataclass(frozen=True)
class Place:
    """What is told to a command, the file it has to write, and when it may.

    `file` is None where nothing may ever be written. `code` is that of the refusal
    without --force, "" where there is none; `forced` that of the one with it. What a
    build writes is `inside` the project.
    """

    told: str
    file: str | None
    code: str = ""
    forced: str = ""
    inside: bool = True


Maker = Callable[[Path, Path, Texts], Place]


def _never(told: str, code: str = "GG018", inside: bool = True) -> Place:
    return Place(told, None, code, code, inside)


def _new(told: str) -> Maker:
    return lambda folder, away, texts: Place(told, told)


def _holding(what: Callable[[Texts], str], code: str, mode: int = 0o644) -> Maker:
    def make(folder: Path, away: Path, texts: Texts) -> Place:
        (folder / "out.py").write_text(what(texts))
        (folder / "out.py").chmod(mode)
        return Place("out.py", "out.py", code)

    return make


def _folder(told: str, made: bool) -> Maker:
    def make(folder: Path, away: Path, texts: Texts) -> Place:
        if made:
            (folder / told).mkdir()
        return Place(told, os.path.join(told, "{f}.py"))

    return make


def _linked(*chain: str, content: str | None = None, code: str = "") -> Maker:
    """A chain of links, each to the next, whose last is a file or nothing."""

    def make(folder: Path, away: Path, texts: Texts) -> Place:
        for one, other in zip(chain, chain[1:]):
            (folder / one).symlink_to(other)
        if content is not None:
            (folder / chain[-1]).write_text(content.format(older=texts.older))
        return Place(chain[0], chain[-1], code)

    return make


def _odd(*chain: str) -> Maker:
    """A chain of links to a pipe, a socket, a device or itself."""

    def make(folder: Path, away: Path, texts: Texts) -> Place:
        last = chain[-1]
        if last == "pipe.py":
            os.mkfifo(folder / last)
        elif last == "socket.py":
            with socket.socket(socket.AF_UNIX) as made:
                here = os.getcwd()
                os.chdir(folder)
                made.bind(last)
                os.chdir(here)
        for one, other in zip(chain, chain[1:]):
            (folder / one).symlink_to(other)
        return _never(chain[0], inside=not last.startswith("/"))

    return make


def _to_away(told: str) -> Maker:
    """A link out of the folder: `emit` follows it, `build` stays where it is."""

    def make(folder: Path, away: Path, texts: Texts) -> Place:
        (folder / "away").symlink_to(away)
        (folder / "away.py").symlink_to(away / "out.py")
        (folder / "in").mkdir()
        return Place(told, str(away / "out.py"), inside=False)

    return make


def _source(sort: str) -> Maker:
    def make(folder: Path, away: Path, texts: Texts) -> Place:
        if sort == "link":
            (folder / "out.py").symlink_to(texts.source)
        elif sort == "hard link":
            os.link(folder / texts.source, folder / "out.py")
        told = texts.source if sort == "itself" else "out.py"
        return _never(told, "GG033")

    return make


def _closed(told: str, content: str | None, mode: int) -> Maker:
    """A file in a folder that takes no files, or cannot be searched."""

    def make(folder: Path, away: Path, texts: Texts) -> Place:
        (folder / "shut").mkdir()
        if content is not None:
            (folder / "shut/out.py").write_text(content.format(older=texts.older))
        (folder / "shut").chmod(mode)
        return _never(told, "GG0")

    return make


def _refused(told: str, inside: bool = True, code: str = "GG018") -> Maker:
    return lambda folder, away, texts: _never(told, code, inside)


def _lone(folder: Path, away: Path, texts: Texts) -> Place:
    (folder / "out.py").write_text(texts.older)
    (folder / "out.py").chmod(0)
    return _never("out.py")


PLACES: dict[str, Maker] = {
    "new": _new("out.py"),
    "new folders": _new("new/more/out.py"),
    "around": _new("./in/../out.py".replace("in/../", "")),
    "blank": _new("my out.py"),
    "quote": _new("it's.py"),
    "no ending": _new("out"),
    "folder": _folder("gen", True),
    "folder/": _folder("gen/", True),
    "new folder/": _folder("gen/more/", False),
    "folder.py": _folder("out.py", True),
    "same": _holding(lambda texts: texts.made, ""),
    "older": _holding(lambda texts: texts.older, ""),
    "mine": _holding(lambda texts: MINE, "GG016"),
    "none": _holding(lambda texts: "", "GG016"),
    "edited": _holding(lambda texts: texts.older + "\nx = 1\n", "GG017"),
    "half": _holding(lambda texts: texts.older[:-20], "GG017"),
    "read only": _holding(lambda texts: texts.older, "GG018", 0o444),
    "link": _linked("out.py", "real.py", content="{older}"),
    "link to mine": _linked("out.py", "real.py", content=MINE, code="GG016"),
    "dangling": _linked("out.py", "real.py"),
    "links": _linked("out.py", "one.py", "real.py"),
    "pipe": _odd("pipe.py"),
    "to pipe": _odd("out.py", "one.py", "pipe.py"),
    "socket": _odd("socket.py"),
    "loop": _odd("out.py", "out.py"),
    "loops": _odd("out.py", "one.py", "out.py"),
    "to null": _odd("out.py", "/dev/null"),
    "to full": _odd("out.py", "/dev/full"),
    "full": _refused("/dev/full", inside=False),
    "null": _refused("/dev/null", inside=False),
    "zero": _refused("/dev/zero", inside=False),
    "proc": _refused("/proc/out.py", inside=False),
    "away": _to_away("away/out.py"),
    "away.py": _to_away("away.py"),
    "in away": _to_away("in/../away/out.py"),
    "source": _source("itself"),
    "to source": _source("link"),
    "is source": _source("hard link"),
    "in a file": _refused("m.py/out.py"),
    "in a file/": _refused("m.py/"),
    "long": _refused("n" * 300),
    "long in a new folder": _refused("new/" + "n" * 300),
    "shut": _closed("shut/out.py", None, 0o555),
    "shut older": _closed("shut/out.py", "{older}", 0o555),
    "shut new folder": _closed("shut/new/out.py", None, 0o555),
    "unsearched": _closed("shut/out.py", "{older}", 0o000),
    "unread": _lone,
}

"""An emitted text in a file: whole or not at all, and never over a person's work."""

from __future__ import annotations

import difflib
import os
import shutil
from dataclasses import dataclass

from gradgen.errors import GradgenError
from gradgen.lines import lines_of
from gradgen.printer.header import read_header, text_hash


@dataclass(frozen=True)
class Change:
    """A file, the text that it holds (None where there is no file), and the new one."""

    path: str
    old: str | None
    new: str


def change_of(path: str, text: str, force: bool = False) -> Change | None:
    """What writing the text to a file would change; None when it says that already.

    What another tool has only laid out anew says the same, and stays. Raises
    GradgenError, with the difference, where the file has no gradgen header or was
    edited by hand, unless `force` says that this is not to be kept.
    """
    try:
        held = _read(os.path.realpath(path))
    except OSError as error:
        raise _unwritten(path, error) from None
    if held == text.encode():
        return None
    if held is None:
        return Change(path, None, text)
    old = held.decode("utf-8", "replace").replace("\r\n", "\n")  # as some checkouts
    if not force:
        if _says_the_same(old, text):
            return None
        _refuse_to_lose(path, old, text)
    return Change(path, old, text)


def write(change: Change) -> None:
    """Writes what changes: whole or not at all. Raises GradgenError."""
    try:
        replace_file(
            os.path.realpath(change.path), change.new.encode()
        )  # a link stays one
    except OSError as error:
        raise _unwritten(change.path, error) from None


def write_emitted(path: str, text: str, force: bool = False) -> bool:
    """Writes the text; False when the file says it already. Raises GradgenError."""
    change = change_of(path, text, force)
    if change is not None:
        write(change)
    return change is not None


def shown_change(change: Change | None) -> str:
    """The difference that a change makes, as `diff -u` has it; "" without one."""
    if change is None:
        return ""
    before = os.devnull if change.old is None else change.path
    lines = difflib.unified_diff(
        lines_of(change.old or ""),
        lines_of(change.new),
        before,
        change.path,
        lineterm="",
    )
    return "".join(f"{line}\n" for line in lines)


def _unwritten(path: str, error: OSError) -> GradgenError:
    reason = error.strerror or str(error)
    return GradgenError("GG018", f"{path} cannot be written: {reason}")


def _says_the_same(old: str, new: str) -> bool:
    """Whether a file holds the new text in another layout, made by another tool."""
    from gradgen.verify.drift import drift

    before, after = read_header(old), read_header(new)
    if before is None or after is None or not edited_by_hand(old):
        return old == new
    same = all(before[key] == after[key] for key in ("name", "source", "command"))
    return same and drift(old, new) is None


def edited_by_hand(text: str) -> bool:
    """Whether the text below a gradgen header is another than was written there."""
    header = read_header(text)
    return header is not None and text_hash(body(header)) != header["text"]


def body(header: dict[str, str]) -> str:
    """The text below the header and its blank line."""
    return header["body"].removeprefix("\n")


def difference(old: str, new: str, before: str, after: str) -> str:
    """The lines that change from the old text to the new one."""
    lines = difflib.unified_diff(
        lines_of(old), lines_of(new), before, after, lineterm="", n=2
    )
    return "\n".join(lines)


def _read(path: str) -> bytes | None:
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def _refuse_to_lose(path: str, old: str, new: str) -> None:
    if read_header(old) is None:
        code, why = "GG016", "was not written by gradgen"
    elif edited_by_hand(old):
        code, why = "GG017", "was edited by hand"
    else:
        return
    lost = difference(old, new, path, "what gradgen would write")
    raise GradgenError(code, f"{path} {why}; --force overwrites it\n{lost}")


def replace_file(path: str, text: bytes) -> None:
    """The file with this text: a new file beside it takes its place at once."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    # Not tempfile, whose files nobody else may read.
    file = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(text)
        if os.path.exists(path):
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise

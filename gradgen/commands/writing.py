"""An emitted text in a file: whole or not at all, and never over a person's work."""

from __future__ import annotations

import os
import shutil

from gradgen.errors import GradgenError
from gradgen.printer.header import read_header, text_hash


def write_emitted(path: str, text: str, force: bool = False) -> bool:
    """Writes the text; False when the file holds it already.

    Raises GradgenError, with the difference, where the file has no gradgen
    header or was edited by hand.
    """
    place = os.path.realpath(path)  # a link stays one
    try:
        old = _read(place)
        if old == text.encode():
            return False
        if old is not None and not force:
            _refuse_to_lose(path, old.decode("utf-8", "replace"), text)
        _replace(place, text.encode())
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradgenError("GG018", f"{path} cannot be written: {reason}") from None
    return True


def edited_by_hand(text: str) -> bool:
    """Whether the text below a gradgen header is another than was written there."""
    header = read_header(text)
    return header is not None and text_hash(body(header)) != header["text"]


def body(header: dict[str, str]) -> str:
    """The text below the header and its blank line."""
    return header["body"].removeprefix("\n")


def difference(old: str, new: str, before: str, after: str) -> str:
    """The lines that change from the old text to the new one."""
    import difflib

    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), before, after, lineterm="", n=2
    )
    return "\n".join(lines)


def _read(path: str) -> bytes | None:
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def _refuse_to_lose(path: str, old: str, new: str) -> None:
    old = old.replace("\r\n", "\n")  # as some checkouts have it
    if read_header(old) is None:
        code, why = "GG016", "was not written by gradgen"
    elif edited_by_hand(old):
        code, why = "GG017", "was edited by hand"
    else:
        return
    lost = difference(old, new, path, "what gradgen would write")
    raise GradgenError(code, f"{path} {why}; --force overwrites it\n{lost}")


def _replace(path: str, text: bytes) -> None:
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

"""Files: read where they are regular, replaced whole or not at all.

A device has no end, a pipe no beginning, and neither is what a text is kept in.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from io import BufferedReader

LARGEST = 1 << 26  # bytes of a file that may be compared with a text
_OPENED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_SORTS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def opened(path: str) -> BufferedReader:
    """A regular file, to be read. Raises OSError for another, which is not opened."""
    try:
        _refuse_other(os.stat(path).st_mode)
        file = os.open(path, _OPENED | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a null character
        raise OSError(errno.EINVAL, str(error)) from None
    try:
        _refuse_other(os.fstat(file).st_mode)
        return os.fdopen(file, "rb")
    except BaseException:
        os.close(file)
        raise


def held(path: str) -> bytes | None:
    """What a regular file holds; None where there is nothing. Raises OSError."""
    try:
        with opened(path) as stream:
            found = stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(found) > LARGEST:
        raise OSError(errno.EFBIG, "the file there is too large to be a text")
    return found


def text_held(path: str) -> str:
    """The text of a regular file, "\\n" for whatever ends its lines. Raises OSError."""
    with opened(path) as stream:
        text = stream.read().decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def replace_file(path: str, text: bytes) -> None:
    """The file with this text: a new file beside it takes its place at once.

    Raises OSError, also for what is there and no regular file.
    """
    folder, _ = os.path.split(path)
    temporary, file = _temporary(folder)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(text)
        if os.path.lexists(path):
            _refuse_other(os.lstat(path).st_mode)
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def is_read_only(path: str) -> bool:
    """Whether nobody may write to a file."""
    try:
        return not os.stat(path).st_mode & 0o222
    except OSError:
        return False


def is_inside(path: str, folder: str) -> bool:
    """Whether a path leads below a folder, wherever links on it go."""
    whole, root = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([whole, root]) == root


def _temporary(folder: str) -> tuple[str, int]:
    """A new file in a folder. Not tempfile, whose files nobody else may read."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    while True:
        path = os.path.join(folder, f".gradgen-{secrets.token_hex(6)}.tmp")
        try:
            return path, os.open(path, flags, 0o666)
        except FileExistsError:
            continue


def _refuse_other(mode: int) -> None:
    """Raises OSError for what is no regular file."""
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    sort = next((word for test, word in _SORTS if test(mode)), "no regular file")
    raise OSError(errno.EINVAL, f"it is {sort}, not a file")

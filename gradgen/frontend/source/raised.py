"""What an error in a user's module says: its traceback, in the user's own frames."""

from __future__ import annotations

import os
import sysconfig
import traceback
from pathlib import Path

from gradgen.errors import GradgenError, InternalError, words_of
from gradgen.lines import lines_of

PACKAGE = str(Path(__file__).resolve().parents[2]) + os.sep


def import_failed(path: str, error: BaseException) -> GradgenError:
    """The error for a module that raises while it is imported.

    Frames of gradgen, of Python's importing and of installed libraries are left out:
    what is to be changed stands in the others. The place is that of the last one.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_users(f)]
    for frame in frames:
        frame.filename = _relative(frame.filename)
    file, line = (frames[-1].filename, frames[-1].lineno) if frames else (None, None)
    told = [f"importing {path} failed: {words_of(error)}"]
    told += lines_of("".join(traceback.format_list(frames)))
    if isinstance(error, SyntaxError) and error.filename:
        file, line = _relative(error.filename), error.lineno
        told[0] = f"importing {path} failed: {type(error).__name__}: {error.msg}"
        told += [text.replace(error.filename, file) for text in _place(error)]
    return GradgenError("GG104", "\n".join(told), file=file, line=line)


def raised_by_user(error: BaseException) -> traceback.FrameSummary | None:
    """The user's own frame that an error comes from, as of a handler of a signal.

    None where one of gradgen's is nearer, as of what runs a text.
    """
    if isinstance(error, InternalError) and error.__cause__ is not None:
        error = error.__cause__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if os.path.abspath(frame.filename).startswith(PACKAGE):
            return None
        if not frame.filename.startswith("<") and _is_users(frame):
            return frame
    return None


def _place(error: SyntaxError) -> list[str]:
    """The line that is no Python, with a mark where Python stopped."""
    return lines_of("".join(traceback.format_exception_only(error)[:-1]))


def _is_users(frame: traceback.FrameSummary) -> bool:
    file = os.path.abspath(frame.filename)
    if frame.filename.startswith("<frozen"):
        return False
    libraries = (sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib"))
    return not file.startswith((PACKAGE, *libraries))


def _relative(file: str) -> str:
    """The file from the working directory, where it is below."""
    near = os.path.relpath(file) if os.path.isabs(file) else file
    return file if near.startswith("..") else near

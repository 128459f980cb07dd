"""Files that gradgen has written: found, read, and made again by their headers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradgen.commands.files import text_held
from gradgen.errors import GradgenError

if TYPE_CHECKING:  # reading a header loads nothing that emits
    from gradgen.commands.order import Made


def emitted_files(paths: tuple[str, ...]) -> Iterator[str]:
    """The files with a gradgen header. Raises GradgenError when there are none."""
    from gradgen.printer.header import read_header

    found = False
    for path in paths:
        folder = os.path.isdir(path)
        if not os.path.exists(path):
            raise GradgenError("GG019", f"there is no {path}")
        inside = (file for file in sorted(Path(path).rglob("*.py")) if file.is_file())
        for file in inside if folder else [Path(path)]:
            if read_header(text_in(file)) is not None:
                found = True
                yield str(file)
            elif not folder:
                raise GradgenError("GG016", f"{path} was not written by gradgen")
    if not found:
        places = ", ".join(paths)
        raise GradgenError("GG019", f"there are no emitted files in {places}")


def text_in(path: str | Path) -> str:
    """The text of a file, with "\\n" for whatever the checkout has.

    Bytes that are no text show as drift. Raises GradgenError.
    """
    try:
        return text_held(str(path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradgenError("GG019", f"{path} cannot be read: {reason}") from None


def made_again(path: str, text: str) -> Made:
    """What the command in the file's header makes now."""
    from gradgen.commands.emit import emit
    from gradgen.commands.order import make, order_of
    from gradgen.printer.header import read_header
    from gradgen.request.shellwords import words

    header = read_header(text)
    assert header is not None  # the caller has looked
    command = header["command"]
    if not command.startswith("gradgen emit "):
        raise ValueError(f"its header's command is not gradgen emit: {command}")
    try:
        options = emit.make_context("gradgen emit", words(command)[2:]).params
    except click.exceptions.Exit:
        told = f"its header's command makes no text: {command}"
        raise ValueError(told) from None
    if options["target"] == "-":
        raise ValueError("its source text came from standard input")
    # A text without --guard was made without, whatever the settings are now.
    options["guard"] = options["guard"] or "no"
    with contextlib.chdir(_root(path, options["target"])):
        return make(order_of(options))


def _root(path: str, target: str) -> Path:
    """The folder from which the command finds its target.

    That is the working directory or, when check is run elsewhere, the nearest
    folder above the file.
    """
    module, colon, _ = target.rpartition(":")
    module = module if colon else target.rpartition(".")[0]
    names = [module] if module.endswith(".py") else []
    if not names:
        top = module.partition(".")[0]
        names = [f"{top}.py", top]
    for folder in (Path.cwd(), *Path(path).resolve().parents):
        if any((folder / name).exists() for name in names):
            return folder
    return Path.cwd()

"""Whether colours are wanted, and the rich console and progress bar where they are."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to colour; auto heeds NO_COLOR, FORCE_COLOR and the terminal.",
)


def colourful(color: str = "auto", stream: TextIO | None = None) -> bool:
    """Whether what goes to a stream (stdout) is coloured: --color, then NO_COLOR."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    stream = sys.stdout if stream is None else stream
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def console(color: str = "auto", stream: TextIO | None = None) -> Console:
    """A rich console that writes text as it is: no markup, no guessed highlights."""
    from rich.console import Console

    stream = sys.stdout if stream is None else stream
    coloured = colourful(color, stream)
    return Console(
        file=stream,
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=True if coloured else None,
        color_system="standard" if coloured else None,
        no_color=not coloured,
    )


def print_code(text: str, color: str = "auto", language: str = "python") -> None:
    """The code on stdout; in colour where that is wanted."""
    if not colourful(color):
        # "\n" everywhere, and no failure where the terminal's encoding is narrow.
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            stream.write(text.encode())
        sys.stdout.flush()
        return
    from rich.syntax import Syntax

    syntax = Syntax("", language, theme="ansi_dark", background_color="default")
    # As a text rather than as a block: no padding, nothing wrapped.
    console(color).print(syntax.highlight(text), end="", soft_wrap=True)


@contextlib.contextmanager
def progress(
    what: str, total: int, quiet: bool = False
) -> Iterator[Callable[..., Any]]:
    """A bar on stderr while many things are done: call what is given after each.

    There is one on a terminal only, and it leaves nothing behind.
    """
    if quiet or total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=console("auto", sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)

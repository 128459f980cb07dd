"""Whether colours are wanted, and the rich console and progress bar where they are."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

import click

from gradgen.commands.colouring import coloured_error
from gradgen.errors import GradgenError
from gradgen.quoting import visible_lines

if TYPE_CHECKING:
    from rich.console import Console

_COLOUR = "gradgen.colour"  # where the context of a command line keeps --color


def _noted(context: click.Context, option: click.Parameter, value: str) -> str:
    context.meta[_COLOUR] = value
    return value


COLOUR = click.Option(
    ["--color"],
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    callback=_noted,
    help="Whether to colour; auto heeds NO_COLOR, FORCE_COLOR and the terminal.",
)
colour_option = click.option(
    "--color",
    type=COLOUR.type,
    default="auto",
    show_default=True,
    callback=_noted,
    help=COLOUR.help,
)


class Lost(GradgenError):
    """A result cannot be written to stdout, in whatever form."""


class Unread(Exception):
    """Nobody reads stdout any more: `gradgen ops | head`. No OSError, of which click
    makes the exit code 1."""


def say(text: str) -> None:
    """A message on stderr, where no character of it steers a terminal."""
    _say(visible_lines(text))


def say_error(text: str) -> None:
    """An error on stderr, in colours where that is wanted."""
    context = click.get_current_context(silent=True)
    asked = "auto" if context is None else context.meta.get(_COLOUR, "auto")
    shown = visible_lines(text)
    _say(coloured_error(shown) if colourful(asked, sys.stderr) else shown)


def _say(shown: str) -> None:
    try:
        click.echo(shown, err=True, color=True)  # what is coloured is meant to be
    except OSError:
        _drop(sys.stderr)  # nobody listens


def put(text: str) -> None:
    """A result on stdout, with "\\n" everywhere. Raises Lost."""
    stream = sys.stdout
    if stream is None:
        raise Lost("GG018", "standard output cannot be written: it is closed")
    try:
        binary = getattr(stream, "buffer", None)
        if binary is None:
            stream.write(text)
        else:
            # A terminal's encoding may be too narrow for the code.
            stream.flush()
            binary.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except BrokenPipeError:
        raise Unread from None
    except OSError as error:
        _drop(stream)
        reason = error.strerror or str(error)
        told = f"standard output cannot be written: {reason}"
        raise Lost("GG018", told) from None


def _drop(stream: TextIO | None) -> None:
    """Lets go what a stream still holds: Python would complain of it at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]


def colourful(color: str = "auto", stream: TextIO | None = None) -> bool:
    """Whether what goes to a stream (stdout) is coloured: --color, then NO_COLOR."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    stream = sys.stdout if stream is None else stream
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads a stream; none does where it is closed."""
    return stream is not None and stream.isatty()


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
        put(text)
        return
    from rich.syntax import Syntax

    syntax = Syntax("", language, theme="ansi_dark", background_color="default")
    # As a text rather than as a block: no padding, nothing wrapped.
    page = console(color)
    with page.capture() as captured:
        page.print(syntax.highlight(text), end="", soft_wrap=True)
    put(captured.get())


@contextlib.contextmanager
def progress(
    what: str, total: int, quiet: bool = False
) -> Iterator[Callable[..., Any]]:
    """A bar on stderr while many things are done: call what is given after each.

    There is one on a terminal only, and it leaves nothing behind.
    """
    if quiet or total < 2 or not is_terminal(sys.stderr):
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=console("auto", sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)

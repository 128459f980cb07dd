"""`gradgen emit`: the text of a gradient on stdout, or in a file."""

from __future__ import annotations

import os
import sys

import click

from gradgen.commands.order import Made, Order, make
from gradgen.commands.writing import write_emitted
from gradgen.guard.selects import Finding
from gradgen.request import MODES, TARGETS


@click.command()
@click.argument("target")
@click.option("--wrt", metavar="X,Y", help="The arguments: names or positions.")
@click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    default="reverse",
    show_default=True,
    help="The gradient, the derivative along tangents, or the Hessian times a vector.",
)
@click.option(
    "--style",
    type=click.Choice(["joint", "callback"]),
    default="joint",
    show_default=True,
    help="One function, or the value with a backprop function.",
)
@click.option("--value", is_flag=True, help="Return the value as well.")
@click.option(
    "--direction",
    type=click.Choice(["reverse", "forward"]),
    help="A Jacobian by its rows or by its columns; by the smaller side without.",
)
@click.option("--diagonal", is_flag=True, help="The diagonal of a Jacobian alone.")
@click.option(
    "--target",
    "library",
    type=click.Choice(list(TARGETS)),
    default="numpy",
    show_default=True,
    help="The library that the text computes with.",
)
@click.option("--module", metavar="NAME", help="Another module like NumPy, untested.")
@click.option(
    "--save",
    type=click.Choice(["values", "state"]),
    default="values",
    show_default=True,
    help="What loops keep: what the gradient reads, or what enters a round.",
)
@click.option(
    "--keep-calls", is_flag=True, help="Give functions that are called their own vjp_."
)
@click.option(
    "--shape",
    multiple=True,
    metavar='X="n d"',
    help='The shape of an argument, or of a part (params.W); "" is a scalar\'s.',
)
@click.option(
    "--example",
    metavar="EXPR",
    help="A tuple of arguments (np is numpy) whose sizes become shapes.",
)
@click.option(
    "--of", metavar="A,B", help="Array arguments that the function leaves results in."
)
@click.option("--aux", is_flag=True, help="The function returns (value, aux).")
@click.option(
    "--stop", multiple=True, metavar="NAME,..", help="Variables to hold constant."
)
@click.option(
    "--complex", multiple=True, metavar="NAME,..", help="Arguments that are complex."
)
@click.option("--stable", is_flag=True, help="Rewrite what overflows or cancels.")
@click.option(
    "--guard",
    is_flag=False,
    flag_value="yes",
    metavar="[EPS]",
    help="After TARGET: x / 0 is 0 in the gradient; with EPS, |denominators| >= EPS.",
)
@click.option("--strict", is_flag=True, help="Refuse a text that needs a helper.")
@click.option("--name", metavar="FN", help="The function's name, when TARGET is -.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="The file to write."
)
@click.option("--force", is_flag=True, help="Overwrite whatever the file holds.")
@click.option("--quiet", "-q", is_flag=True, help="No messages but errors.")
def emit(output: str | None, force: bool, quiet: bool, **options) -> None:
    """Print the gradient of a function as a Python module of its own.

    TARGET is path/file.py:fn, module:fn or module.fn; - reads source text from
    standard input.
    """
    made = make(Order(**options))
    if not quiet:
        _tell_of_helpers(made)
        _tell_of_hazards(made)
    if output is None:
        _print_code(made.emitted.text)
        return
    changed = write_emitted(output, made.emitted.text, force)
    if not quiet:
        click.echo(f"{output}: {'written' if changed else 'unchanged'}", err=True)


def _tell_of_helpers(made: Made) -> None:
    """Which shapes would make the text shorter, on stderr."""
    emitted = made.emitted
    if not emitted.helpers:
        return
    helpers = ", ".join(emitted.helpers)
    if not emitted.unknown:
        click.echo(f"note: the text carries {helpers}", err=True)
        return
    options = " ".join(f'--shape {name}="..."' for name in emitted.unknown)
    click.echo(
        f"note: the text carries {helpers}, for shapes that are not known;\n"
        f"      name the axes to be rid of it: {options}",
        err=True,
    )


def _tell_of_hazards(made: Made) -> None:
    """What divides by what may be zero, on stderr, where nothing guards it."""
    if made.request.guard is not False:
        return
    for hazard in made.emitted.hazards:
        place = place_of(made, hazard)
        click.echo(
            f"note: {place}{hazard.hazard} is not guarded ({hazard.what})", err=True
        )


def place_of(made: Made, hazard: Finding) -> str:
    """The primal's file and line that a hazard comes from."""
    if hazard.line is None:
        return ""
    return f"{made.emitted.file}:{hazard.line.number}: "


def _print_code(text: str) -> None:
    """The code on stdout; in colour on a terminal."""
    if not _colourful():
        # "\n" everywhere, and no failure where the terminal's encoding is narrow.
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            stream.write(text.encode())
        sys.stdout.flush()
        return
    from rich.console import Console
    from rich.syntax import Syntax

    syntax = Syntax("", "python", theme="ansi_dark", background_color="default")
    # As a text rather than as a block: no padding, nothing wrapped.
    console = Console(soft_wrap=True, highlight=False)
    console.print(syntax.highlight(text), end="", soft_wrap=True)


def _colourful() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()

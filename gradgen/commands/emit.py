"""`gradgen emit`: the text of a gradient on stdout, or in a file."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, replace
from typing import Any

import click

from gradgen.commands.alone import alone
from gradgen.commands.complete import functions
from gradgen.commands.formats import JSON, output_option, print_json, reported
from gradgen.commands.notes import notes, place_of, worked_out
from gradgen.commands.order import Order, make
from gradgen.commands.parsing import Command
from gradgen.commands.running import observed, root_of
from gradgen.commands.terminal import colour_option, print_code, say
from gradgen.commands.writing import change_of, shown_change, write
from gradgen.errors import GradgenError
from gradgen.request.request import MODES, PYTHONS, TARGETS

__all__ = ["emit", "place_of"]


@click.command(cls=Command)
@click.argument("target", shell_complete=functions)
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
    "--instance",
    metavar="EXPR",
    help="Of a method: an instance, Net(3, 4), whose attributes tell shapes.",
)
@click.option(
    "--calls",
    metavar="COMMAND",
    help="Run a command that calls the function; its arguments become shapes.",
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
    metavar="[=EPS]",
    help="x / 0 is 0 in the gradient; with =EPS, |denominators| >= EPS.",
)
@click.option(
    "--general", is_flag=True, help="Assume nothing of arguments of unknown shape."
)
@click.option("--strict", is_flag=True, help="Refuse a text that needs a helper.")
@click.option(
    "--python",
    type=click.Choice(list(PYTHONS)),
    help="The oldest Python, with its NumPy, that the text is for.",
)
@click.option(
    "--name", metavar="FN", help="With - for TARGET: which of several functions."
)
@click.option(
    "-o", "--out", type=click.Path(), help="The file, or the folder, to write."
)
@click.option("--force", is_flag=True, help="Overwrite whatever the file holds.")
@click.option("--diff", is_flag=True, help="Show how -o FILE would change; no writing.")
@output_option
@colour_option
@click.option("--quiet", "-q", is_flag=True, help="No messages but errors.")
def emit(
    out: str | None,
    force: bool,
    diff: bool,
    output: str,
    color: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Print the gradient of a function as a Python module of its own.

    TARGET is path/file.py:fn, module:fn or module.fn; - reads source text from
    standard input. The module is imported, and text from standard input is run, as
    Python runs it: emit only what you would run. What it prints goes to stderr.
    """
    if diff and out is None:
        raise click.UsageError("--diff compares with a file: -o FILE")
    with reported(output):
        order = with_calls(Order(**options))
        made = alone(lambda: _made(order, not quiet and output != JSON))
        text = made.text
        if output == JSON:
            file = None if out is None else file_in(out, made.target, order)
            print_json(_data(made, file, force, diff))
            return
        if not quiet:
            for note in made.notes:
                say(note)
        if out is None:
            print_code(text, color)
            return
        out = file_in(out, made.target, order)
        refuse_own_source(out, made.source)
        change = change_of(out, text, force or diff)
        if diff:
            print_code(shown_change(change), color, "diff")
            return
        if change is not None:
            write(change)
        if not quiet:
            told = "unchanged" if change is None else "written"
            say(f"{out}: {told}")


@dataclass(frozen=True)
class _Text:
    """A text, and what the command tells of it; `source` is the primal's file."""

    text: str
    function: str
    target: str
    source: str
    notes: tuple[str, ...]


def _made(order: Order, proposing: bool) -> _Text:
    try:
        made = make(order)
    except GradgenError:
        line = worked_out(order) if proposing else ""
        if line:
            say(line)
        raise
    emitted = made.emitted
    source = os.path.abspath(made.source.file)
    target = made.request.target
    return _Text(
        emitted.text, emitted.function, target, source, tuple(notes(made, proposing))
    )


def file_in(out: str, target: str, order: Order) -> str:
    """The file that -o names; in a folder it is called after the function.

    before:  "generated/", of `gradgen emit losses.loss --style callback`
    after:   "generated/loss_callback.py"
    """
    if not (os.path.isdir(out) or out.endswith(("/", os.sep))):
        return out
    name = re.split(r"[.:]", target)[-1]
    sort = "callback" if order.style == "callback" else order.mode
    ending = "" if sort == "reverse" else f"_{sort}"
    return os.path.join(out, f"{name}{ending}.py")


def with_calls(order: Order) -> Order:
    """The order with what the command of --calls has called the function with."""
    if order.calls is None:
        return order
    if order.target == "-":
        raise click.UsageError("--calls needs a function that has a file")
    seen = observed(shlex.split(order.calls), [root_of(order.target)])
    if not seen:
        raise GradgenError(
            "GG036",
            f"{order.calls} has not called {order.target}",
            advice="a command that calls it: --calls 'python script.py'",
        )
    return replace(order, seen=seen[0])


def refuse_own_source(out: str, source: str) -> None:
    """Raises GradgenError where a gradient would replace its own function's file."""
    if os.path.exists(out) and os.path.exists(source) and os.path.samefile(out, source):
        raise GradgenError(
            "GG033",
            f"{out} is the file of the function itself",
            advice="another file for the gradient",
        )


def _data(made: _Text, out: str | None, force: bool, diff: bool) -> dict[Any, Any]:
    """What `--output json` says of a text; it is written where that is asked for."""
    data: dict[str, Any] = {
        "function": made.function,
        "source": made.target,
        "text": made.text,
        "notes": list(made.notes),
    }
    if out is not None:
        refuse_own_source(out, made.source)
        change = change_of(out, made.text, force or diff)
        if change is not None and not diff:
            write(change)
        data["file"] = out
        data["changed"] = change is not None
        if diff:
            data["diff"] = shown_change(change)
    return data

"""`gradgen emit`: the text of a gradient on stdout, or in a file."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import Any

import click

from gradgen.commands.alone import alone
from gradgen.commands.complete import functions
from gradgen.commands.formats import JSON, output_option, print_json, reported
from gradgen.commands.notes import fitting, notes, place_of, worked_out
from gradgen.commands.order import Order, make, order_of
from gradgen.commands.parsing import Command
from gradgen.commands.running import observed, root_of
from gradgen.commands.terminal import colour_option, print_code, say
from gradgen.commands.writing import change_of, shown_change, write
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.request.options import ASIDE, OPTIONS, Option

__all__ = ["emit", "place_of"]


def _option(one: Option) -> Callable[[Any], Any]:
    """An option of the table as one of the command."""
    more: dict[str, Any] = {"metavar": one.metavar}
    if one.sort == "flag":
        more = {"is_flag": True}
    elif one.sort == "choice":
        shown = {"default": one.default, "show_default": True} if one.default else {}
        more = {"type": click.Choice(one.choices), **shown}
    elif one.sort == "size":
        more |= {"is_flag": False, "flag_value": "yes"}
    elif one.sort in ("several", "facts"):
        more |= {"multiple": True}
    return click.option(one.flag, one.argument, help=one.help, **more)


def _table(command: Any) -> Any:
    """The options of the table, in its order."""
    for one in reversed((*OPTIONS, *ASIDE)):
        command = _option(one)(command)
    return command


@click.command(cls=Command)
@click.argument("target", shell_complete=functions)
@_table
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    help="The file, or the folder, to write; - prints.",
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
    out = None if out == "-" else out
    if diff and out is None:
        raise click.UsageError("--diff compares with a file: -o FILE")
    with reported(output):
        order = with_calls(order_of(options))
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
    except GradgenError as error:
        line = worked_out(order) if proposing and not error.is_final else ""
        if line:
            say(line)
        error.advice = fitting(order, error) or error.advice
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
    sort = "callback" if order["style"] == "callback" else order["mode"] or "reverse"
    ending = "" if sort == "reverse" else f"_{sort}"
    return os.path.join(out, f"{name}{ending}.py")


def with_calls(order: Order) -> Order:
    """The order with what the command of --calls has called the function with."""
    if order["calls"] is None:
        return order
    if order.target == "-":
        raise click.UsageError("--calls needs a function that has a file")
    seen = observed(shlex.split(order["calls"]), [root_of(order.target)])
    if not seen:
        raise GradgenError(
            "GG036",
            f"{order['calls']} has not called {order.target}",
            advice="a command that calls it: --calls 'python script.py'",
        )
    return order.aimed(seen=seen[0])


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

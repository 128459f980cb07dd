"""`gradgen explain`: the stages of a gradient, or what an error code means."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import Any

import click

from gradgen.commands.alone import alone
from gradgen.commands.colouring import coloured_account
from gradgen.commands.emit import emit, refuse_own_source
from gradgen.commands.order import Order, make
from gradgen.commands.parsing import Command
from gradgen.commands.terminal import COLOUR, colourful, put, say
from gradgen.commands.writing import change_of, page_text, write

_CODE = re.compile(r"(?i:gg)\d{3}$")
# the options of `gradgen emit` that say what is made, not where it goes
_FIELDS = {field.name for field in dataclasses.fields(Order)}
_OPTIONS = [p for p in emit.params if p.name in _FIELDS]


def explain(
    html: str | None,
    force: bool,
    times: bool,
    color: str,
    target: str,
    **options: Any,
) -> None:
    """Tell how the gradient of TARGET is made, or what an error code means.

    TARGET and the options are those of `gradgen emit`. Each stage is printed: what
    was read, the derivative, what each pass changed, and why each helper and each
    guard is there. --html writes a page with the two texts side by side, the passes
    behind a slider and a picture of values and adjoints; it loads nothing. A file that
    is no such page, or was edited, is not overwritten.

    \b
    gradgen explain losses.cosine_loss --wrt X
    gradgen explain --html out.html losses.cosine_loss
    gradgen explain GG113
    gradgen explain --passes
    gradgen explain --times losses.cosine_loss
    """
    if _CODE.match(target):
        from gradgen.explain.codes import code_text

        put(code_text(target.upper()) + "\n")
        return
    order = Order(target=target, **options)
    if times:
        put(alone(lambda: _timed(order)) + "\n")
        return
    text, source = alone(lambda: _told(order, html is not None))
    if html is None:
        put(coloured_account(text) if colourful(color) else text + "\n")
        return
    refuse_own_source(html, source)
    change = change_of(html, page_text(text), force)
    if change is not None:
        write(change)
    say(f"{html}: {'unchanged' if change is None else 'written'}")


def _told(order: Order, as_page: bool) -> tuple[str, str]:
    """What is told of a gradient, and the file of its function."""
    from gradgen.explain.account import Account, account_text
    from gradgen.explain.page import page
    from gradgen.explain.record import Record

    record = Record()
    made = make(order, record)
    account = Account(made.source, made.request, made.emitted, record)
    source = os.path.abspath(made.source.file)
    return page(account) if as_page else account_text(account), source


def _timed(order: Order) -> str:
    """What each pass costs, of a second emission: the first one loads what it needs."""
    from gradgen.explain.times import Times, times_text

    make(order)
    times = Times()
    make(order, times)
    return times_text(times)


def _print_codes(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """The page of all error codes, for the documentation."""
    if asked and not context.resilient_parsing:
        from gradgen.explain.codes import codes_page

        put(codes_page())
        context.exit()


def _print_passes(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """The table of passes."""
    if asked and not context.resilient_parsing:
        from gradgen.explain.passes import passes_text

        put(passes_text() + "\n")
        context.exit()


_CODES = click.Option(
    ["--codes"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_codes,
    help="Print the page of all error codes, as Markdown.",
)
_PASSES = click.Option(
    ["--passes"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_passes,
    help="Print the passes over a derivative, in their order.",
)
_TIMES = click.Option(
    ["--times"], is_flag=True, help="Print what each pass costs, in milliseconds."
)
_HTML = click.Option(
    ["--html"],
    type=click.Path(dir_okay=False),
    help="Write a page that explains the gradient to this file.",
)
# The refusal to overwrite a file tells of it: the options are those of emit.
_FORCE = click.Option(["--force"], is_flag=True, hidden=True)
explain = Command(
    "explain",
    callback=explain,
    help=explain.__doc__,
    params=[*_OPTIONS, _HTML, COLOUR, _FORCE, _TIMES, _CODES, _PASSES],
)

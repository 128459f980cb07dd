"""`gradgen explain`: the stages of a gradient, or what an error code means."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import click

from gradgen.commands.emit import emit
from gradgen.commands.order import Order, make
from gradgen.errors import GradgenError

_CODE = re.compile(r"(?i:gg)\d{3}$")
# the options of `gradgen emit` that say what is made, not where it goes
_FIELDS = {field.name for field in dataclasses.fields(Order)}
_OPTIONS = [p for p in emit.params if p.name in _FIELDS]


def explain(html: str | None, target: str, **options: Any) -> None:
    """Tell how the gradient of TARGET is made, or what an error code means.

    TARGET and the options are those of `gradgen emit`. Each stage is printed: what
    was read, the derivative, what each pass changed, and why each helper and each
    guard is there. --html writes a page with the two texts side by side, the passes
    behind a slider and a picture of values and adjoints; it loads nothing.

    \b
    gradgen explain losses.cosine_loss --wrt X
    gradgen explain --html out.html losses.cosine_loss
    gradgen explain GG113
    """
    if _CODE.match(target):
        from gradgen.explain.codes import code_text

        click.echo(code_text(target.upper()))
        return
    from gradgen.explain.account import Account, account_text
    from gradgen.explain.record import Record

    record = Record()
    made = make(Order(target=target, **options), record)
    account = Account(made.source, made.request, made.emitted, record)
    if html is None:
        click.echo(account_text(account))
        return
    from gradgen.explain.page import page

    _write(html, page(account))
    click.echo(f"{html}: written", err=True)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradgenError("GG018", f"{path} cannot be written: {reason}") from None


def _print_codes(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """The page of all error codes, for the documentation."""
    if asked and not context.resilient_parsing:
        from gradgen.explain.codes import codes_page

        click.echo(codes_page(), nl=False)
        context.exit()


_CODES = click.Option(
    ["--codes"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_codes,
    help="Print the page of all error codes, as Markdown.",
)
_HTML = click.Option(
    ["--html"],
    type=click.Path(dir_okay=False),
    help="Write a page that explains the gradient to this file.",
)
explain = click.Command(
    "explain", callback=explain, help=explain.__doc__, params=[*_OPTIONS, _HTML, _CODES]
)

"""One page of HTML about a gradient: lines, passes, the picture, and the reasons."""

from __future__ import annotations

import html
from collections.abc import Iterator
from importlib.resources import files
from string import Template

from gradgen.explain.account import Account
from gradgen.explain.colours import coloured
from gradgen.explain.flow import flow
from gradgen.explain.origins import origins, statement_rows
from gradgen.explain.picture import picture
from gradgen.explain.states import State, changes
from gradgen.quoting import visible


def page(account: Account) -> str:
    """The page, which loads nothing: style, script and picture stand in it."""
    source, emitted = account.source, account.emitted
    drawn = [one for one in account.functions if one.rendered.function is not None]
    command, shapes = account.request.command()
    states = account.states
    here = files("gradgen.explain")
    return Template(here.joinpath("page.html").read_text("utf-8")).substitute(
        title=html.escape(emitted.function),
        command=html.escape(" ".join([command, *shapes])),
        style=here.joinpath("page.css").read_text("utf-8"),
        script=here.joinpath("page.js").read_text("utf-8"),
        primal_title=html.escape(visible(source.name)),
        gradient_title=html.escape(emitted.function),
        primal="\n".join(_primal(account)),
        gradient="\n".join(_gradient(account)),
        count=len(states),
        passes="\n".join(_passes(states)),
        picture="\n".join(picture(flow(one), one.rendered.name) for one in drawn),
        why="\n".join(_why(account)),
    )


def _line(number: int | str, code: str, lines: str | None, kind: str = "") -> str:
    attributes = f' class="{kind}"' if kind else ""
    if lines is not None:
        attributes += ' role="option" tabindex="-1" aria-selected="false"'
        attributes += f' data-lines="{lines}"'
    return f'<li{attributes}><span class="n">{number}</span><code>{code or " "}</code></li>'


def _primal(account: Account) -> Iterator[str]:
    source = account.source
    rows = statement_rows(source)
    for i, code in enumerate(coloured("\n".join(source.lines))):
        number = source.first + i
        yield _line(number, code, str(rows.get(number, "")))


def _gradient(account: Account) -> Iterator[str]:
    text = account.emitted.text.rstrip("\n")
    rendered = [one.rendered for one in account.functions]
    found = origins(account.emitted.text, rendered, account.source)
    for number, code in enumerate(coloured(text), start=1):
        lines = " ".join(map(str, found.get(number, ())))
        yield _line(number, code, lines)


def _passes(states: list[State]) -> Iterator[str]:
    before: tuple[str, ...] = ()
    for i, state in enumerate(states):
        marked = [(" ", line) for line in state.lines]
        if i:
            marked = changes(before, state.lines)
        before = state.lines
        says = html.escape(f"{state.name}: {state.says}")
        yield f'<ol class="code pass" data-says="{says}" hidden>'
        code = coloured("\n".join(line for _, line in marked))
        for (mark, _), line in zip(marked, code, strict=True):
            shown = "\u2212" if mark == "-" else mark
            kind = {"-": "gone", "+": "new"}.get(mark, "")
            yield _line(shown, line, None, kind)
        yield "</ol>"


def _why(account: Account) -> Iterator[str]:
    reasons = account.reasons
    if not reasons:
        yield "<p>Nothing to tell: no helper was copied, and no denominator may be 0.</p>"
        return
    yield '<ul class="why">'
    for reason in reasons:
        first, *rest = reason.split("\n")
        more = "".join(
            f"<br><code>{html.escape(visible(line.strip()))}</code>" for line in rest
        )
        yield f"<li>{html.escape(visible(first))}{more}</li>"
    yield "</ul>"

"""One page of HTML about a gradient: lines, passes, the picture, and the reasons."""

from __future__ import annotations

import ast
import html
import json
from collections.abc import Iterator
from importlib.resources import files
from string import Template

from gradgen.explain.account import Account
from gradgen.explain.colours import coloured
from gradgen.explain.flow import flow
from gradgen.explain.originals import Original
from gradgen.explain.picture import picture
from gradgen.explain.sizes import of_originals, of_text, told
from gradgen.explain.states import changes, stages
from gradgen.quoting import visible


def page(account: Account) -> str:
    """The page, which loads nothing: style, script and picture stand in it."""
    source, emitted = account.source, account.emitted
    drawn = [one for one in account.functions if one.rendered.function is not None]
    command, shapes = account.request.command()
    texts, table = _passes(account)
    words = [*command.split(" "), *shapes]
    keys = account.originals.keys
    here = files("gradgen.explain")
    return Template(here.joinpath("page.html").read_text("utf-8")).substitute(
        title=html.escape(emitted.function),
        command=" ".join(f"<span>{html.escape(w)}</span>" for w in words),
        style=here.joinpath("page.css").read_text("utf-8"),
        script=here.joinpath("page.js").read_text("utf-8"),
        primal_title=html.escape(visible(source.name)),
        gradient_title=html.escape(emitted.function),
        primal="\n".join(_lists(account)),
        gradient="\n".join(_gradient(account)),
        count=len(table),
        ticks="".join(
            f'<option value="{i}">' for i, row in enumerate(table, 1) if row[1]
        ),
        stages=json.dumps(table).replace("<", "\\u003c"),
        passes="\n".join(texts),
        picture="\n".join(picture(flow(one, keys), one.rendered.name) for one in drawn),
        why="\n".join(_why(account)),
    )


def _line(
    number: int | str, code: str, lines: str | None, kind: str = "", shapes: str = ""
) -> str:
    attributes = f' class="{kind}"' if kind else ""
    if lines is not None:
        attributes += ' role="option" tabindex="-1" aria-selected="false"'
        attributes += f' data-lines="{lines}"'
    if shapes:
        attributes += f' data-shapes="{html.escape(shapes)}"'
    return f'<li{attributes}><span class="n">{number}</span><code>{code or " "}</code></li>'


def _lists(account: Account) -> Iterator[str]:
    """The function, and below it each function that it calls."""
    sizes = of_originals(account)
    for i, one in enumerate(account.originals.all):
        own = 'id="primal" role="listbox" aria-label="Function"'
        if i:
            does = "calls" if one.rows.get(one.head) is None else "reads"
            title = html.escape(visible(f"{one.title}, which it {does}"))
            yield f"<h3>{title}</h3>"
            own = f'role="listbox" aria-label="{html.escape(one.title)}"'
        yield f'<ol class="code original" {own}>'
        text = "\n".join(one.lines)
        names = sizes.get(one, {})
        shapes = told(text, {n + 1: names for n in range(len(one.lines))})
        calls = _calls(account, one)
        for offset, code in enumerate(coloured(text)):
            number = one.first + offset
            row = one.rows.get(number, one.head if number <= one.head else 0)
            lines = [one.key(row)] if row else []
            lines += calls.get(row, ())
            yield _line(number, code, " ".join(lines), shapes=shapes[offset])
        yield "</ol>"


def _calls(account: Account, one: Original) -> dict[int, list[str]]:
    """Line of an original -> the heads of the functions that it calls.

    Only those that the page shows: a line that is nothing but a call lights up these.
    """
    heads = {other.name: other.key(other.head) for other in account.originals.all[1:]}
    try:
        tree = ast.parse("\n".join(one.lines))
    except SyntaxError:
        return {}
    found: dict[int, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = getattr(called, "attr", getattr(called, "id", ""))
            row = one.rows.get(node.lineno + one.first - 1)
            if name in heads and row is not None:
                found.setdefault(row, []).append(heads[name])
    return {row: list(dict.fromkeys(names)) for row, names in found.items()}


def _gradient(account: Account) -> Iterator[str]:
    text = account.emitted.text.rstrip("\n")
    shapes = told(text, of_text(account))
    for number, code in enumerate(coloured(text), start=1):
        lines = " ".join(account.origins.get(number, ()))
        yield _line(number, code, lines, shapes=shapes[number - 1])


def _passes(account: Account) -> tuple[list[str], list[tuple[int, bool, str]]]:
    """The texts that differ, as lists, and the row of each pass that ran.

    A row has the place of its text, whether the pass changed it, and what is told.
    """
    texts: list[str] = []
    table: list[tuple[int, bool, str]] = []
    several = len(account.functions) > 1
    for one in account.functions:
        states, ran = stages(one)
        of = f"{one.rendered.name}: " if several else ""
        table += [
            (
                len(texts) + stage.state,
                stage.changed,
                f"{of}{stage.name}: {stage.says}",
            )
            for stage in ran
        ]
        before: tuple[str, ...] = ()
        for i, state in enumerate(states):
            marked = [(" ", line) for line in state.lines]
            if i:
                marked = changes(before, state.lines)
            before = state.lines
            texts.append("\n".join(_marked(marked)))
    return texts, table


def _marked(marked: list[tuple[str, str]]) -> Iterator[str]:
    yield '<ol class="code pass" hidden>'
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

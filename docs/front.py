"""The front page: a function beside its gradient, and the claims with their figures.

A line `<!-- linked: PATH:FUNCTION WRT -->` in index.md stands for a function and the text
that is emitted for it with vectors of one length; lines that belong together have
one colour. `<!-- claims -->` stands for the claims of figures.py. mkdocs calls
on_page_markdown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from figures import ROOT, Claim, claims, peers

from gradgen.commands.order import Order, make
from gradgen.explain.account import Account
from gradgen.explain.colours import coloured
from gradgen.explain.record import Record

_LINKED = re.compile(r"^<!-- linked: (\S+) (\S+) -->$", re.M)
_CLAIMS = re.compile(r"^<!-- claims -->$", re.M)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the two texts and the claims in their places."""
    page = _LINKED.sub(lambda found: linked(found[1], found[2]), markdown)
    return _CLAIMS.sub(lambda _: "\n".join(cards()), page)


def linked(target: str, wrt: str) -> str:
    """A function on the left, its gradient on the right, in HTML."""
    account = accounted(target, wrt)
    one = account.originals.all[0]
    keys = [one.key(one.rows.get(one.first + i, 0)) for i in range(len(one.lines))]
    docstring = [
        i for i, line in enumerate(one.lines) if line.strip().startswith('"""')
    ]
    statements = dict.fromkeys(k for i, k in enumerate(keys) if i not in docstring)
    shades = {key: f"k{n}" for n, key in enumerate(statements) if n}
    text = account.emitted.text.rstrip("\n").split("\n")
    start = next(i for i, line in enumerate(text) if line.startswith("def "))
    left = zip(coloured("\n".join(one.lines)), ([key] for key in keys))
    found = account.origins
    right = (
        (code, found.get(start + i + 1, ()))
        for i, code in enumerate(coloured("\n".join(text[start:])))
    )
    parts = [
        '<div class="linked">',
        *_side("Yours", target, left, shades),
        *_side("gradgen writes", f"{account.emitted.function}", right, shades),
        "</div>",
    ]
    return "\n".join(parts)


def accounted(target: str, wrt: str) -> Account:
    """The emission of a function whose arguments are vectors of one length."""
    record = Record()
    shapes = ("X=n", "Y=n")
    order = Order(target=f"{ROOT}/{target}", wrt=wrt, shape=shapes)
    made = make(order, record)
    return Account(made.source, made.request, made.emitted, record)


def _side(title: str, name: str, lines: Any, shades: dict[str, str]) -> Iterator[str]:
    yield f"<figure><figcaption>{title} <code>{html.escape(name)}</code></figcaption>"
    yield f"<pre>{''.join(_row(code, keys, shades) for code, keys in lines)}</pre></figure>"


def _row(code: str, keys: Any, shades: dict[str, str]) -> str:
    """A line, and before it a stripe in the colour of each line that it belongs to."""
    own = [shades[key] for key in keys if key in shades]
    stripes = "".join(f'<i class="{shade}"></i>' for shade in own)
    kinds = " ".join(["row", *own])
    return f'<span class="{kinds}"><b>{stripes}</b><code>{code or " "}</code></span>'


def cards() -> Iterator[str]:
    """The claims side by side, and how they were measured."""
    yield '<div class="claims">'
    for claim in claims():
        yield from _card(claim)
    yield "</div>"
    measured = html.escape(peers().taken)
    yield f'<p class="measured">{measured} <a href="performance/">All rows</a></p>'


def _card(claim: Claim) -> Iterator[str]:
    longest = max(claim.numbers.values())
    yield f"<section><h2>{html.escape(claim.title)}</h2><dl>"
    for name, figure in claim.figures.items():
        share = 100 * claim.numbers[name] / longest
        kind = ' class="own"' if name == "gradgen" else ""
        yield (
            f"<div{kind}><dt>{html.escape(name)}</dt><dd>"
            f'<meter-bar style="width:{share:.1f}%"></meter-bar>'
            f"<span>{figure}</span></dd></div>"
        )
    yield f"</dl><p>{html.escape(claim.measured)}</p></section>"

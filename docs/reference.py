"""The page of the Python functions: signatures, docstrings, and the table of options.

A line `<!-- function: NAME -->` in api.md stands for gradgen.NAME, and the line
`<!-- options -->` for the options of all of them. mkdocs calls on_page_markdown.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import gradgen
from gradgen import api
from gradgen.explain.options import MAKERS
from gradgen.quoting import markdown as escaped
from gradgen.request.options import EXAMPLE, OPTIONS, OfTexts, Told

_FUNCTION = re.compile(r"^<!-- function: (\w+) -->$", re.M)
_OPTIONS = re.compile(r"^<!-- options -->$", re.M)
# names of types that are short for others: a reader gets these
_SHORT = {"Function": api.Function, "Wrt": api.Wrt}
_MODULES = re.compile(r"\b(?:collections\.abc|typing|numpy)\.")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the functions and the table in their places."""
    page = _FUNCTION.sub(lambda found: shown(found[1]), markdown)
    return _OPTIONS.sub(lambda _: table(), page)


def shown(name: str) -> str:
    """The Markdown of one function or class of gradgen: its heading is its full name."""
    value = getattr(gradgen, name)
    text = inspect.cleandoc(value.__doc__).partition("\nOptions:\n")[0].strip()
    parts = [
        f"## gradgen.{name} {{ #gradgen.{name} }}",
        f"```python\n{signature(name, value)}\n```",
        prose(text),
    ]
    if any(name in makers for makers in MAKERS.values()):
        parts.append("The keyword arguments are told of in [the table](#options).")
    return "\n\n".join(parts)


def signature(name: str, value: Any) -> str:
    """The call as it is written, a line for each parameter where there are several."""
    own = inspect.signature(value)
    back = "" if inspect.isclass(value) else f" -> {type_text(own.return_annotation)}"
    params = list(_params(own.parameters.values()))
    if len(params) == 1:
        return f"gradgen.{name}({params[0]}){back}"
    return "\n".join(
        [f"gradgen.{name}(", *(f"    {one}," for one in params), f"){back}"]
    )


def _params(params: Any) -> Iterator[str]:
    starred = False
    for one in params:
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        default = "" if one.default is one.empty else f" = {one.default!r}"
        yield f"{one.name}: {type_text(one.annotation)}{default}"


def type_text(type_: Any) -> str:
    """An annotation in the words of a reader.

    before:  Wrt
    after:   str | int | Sequence[Any] | None
    """
    meant = _SHORT.get(type_, type_)
    return _MODULES.sub("", meant if isinstance(meant, str) else str(meant))


def prose(text: str) -> str:
    """A docstring as Markdown: what stands between backticks is code, and no more."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = "\n".join(map(escaped, parts[i].split("\n")))
    return "`".join(parts)


def table() -> str:
    """All options of the functions, a row for each."""
    known = {one.keyword: one for one in (*OPTIONS, EXAMPLE)}
    rows = ["| option | type | default | what it is for | taken by |", "|---" * 5 + "|"]
    for keyword, type_ in OfTexts.__annotations__.items():
        one = known[keyword]
        type_ = type_text(getattr(type_, "__forward_arg__", type_)).replace("|", "or")
        default = None if one.setting or one.sort == "facts" else one.default
        told = prose(one.told)
        if one.choices:
            told += " One of " + ", ".join(f"`{choice!r}`" for choice in one.choices)
            told += "."
        takers = "all" if keyword in Told.__annotations__ else ", ".join(takes(keyword))
        cells = [f"`{keyword}`", f"`{type_}`", f"`{default!r}`", told, takers]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def takes(keyword: str) -> list[str]:
    """The functions that take an option, each a link to its section."""
    return [
        f"[`{maker}`](#gradgen.{maker})"
        for kind, makers in MAKERS.items()
        for maker in makers
        if keyword in kind.__annotations__
    ]

"""The text of a formatted string, as Pythons before 3.12 read it too."""

from __future__ import annotations

from collections.abc import Sequence

from gradgen.quoting import literal_body, string_literal, visible

# a text between the values, or a value's text, its conversion and its format
Part = str | tuple[str, int, str]


def formatted(parts: Sequence[Part]) -> str | None:
    """f"..." of texts and values; None where a value cannot stand in one.

    before:  "x: ", ("x", -1, ".3f"), ("y", 114, "")
    after:   f"x: {x:.3f}{y!r}"

    Between the braces no quote of the string's own may stand, and no backslash.
    """
    values = [part for part in parts if not isinstance(part, str)]
    inside = "".join(text + form for text, _, form in values)
    if any(mark in inside for mark in ("\\", "#", "\n")) or visible(inside) != inside:
        return None
    texts = [part for part in parts if isinstance(part, str)]
    wished = string_literal("".join(texts))[0]
    for quote in dict.fromkeys([wished, '"', "'"]):
        if quote not in inside:
            return f"f{quote}{''.join(shown(part, quote) for part in parts)}{quote}"
    return None


def template(parts: Sequence[Part]) -> str:
    """The string whose `format` makes the same of the values in order."""
    return "".join(
        part.replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else f"{{{_end(part)}}}"
        for part in parts
    )


def shown(part: Part, quote: str = '"') -> str:
    """A part as it stands between the quotes of the string."""
    if isinstance(part, str):
        text = literal_body(part, quote)
        return text.replace("{", "{{").replace("}", "}}")
    space = " " if part[0].startswith("{") else ""
    return f"{{{space}{part[0]}{_end(part)}}}"


def _end(part: tuple[str, int, str]) -> str:
    _, conversion, form = part
    shown = f"!{chr(conversion)}" if conversion > 0 else ""
    return f"{shown}:{form}" if form else shown

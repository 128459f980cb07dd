"""How the source spells what is no operation: its comments, its module's constants."""

from __future__ import annotations

import ast
import io
import linecache
import math
import re
import tokenize
from typing import Any

from gradgen.frontend.source.source import Source
from gradgen.quoting import string_literal

# what stands above the first half of an emitted function
OWN_HEADING = "Forward"
_NO_CODE = (
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def comments(source: Source) -> tuple[dict[int, list[str]], dict[int, str]]:
    """The comments of the function: own lines before a line, and trailing ones.

    Rows count from 1 at the def. gast keeps no comments; tokenize does.
    """
    above: dict[int, list[str]] = {}
    trailing: dict[int, str] = {}
    pending: list[str] = []
    text = "\n".join(source.lines) + "\n"
    row_has_code = 0
    if "#" not in text:
        return above, trailing
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words = token.string.lstrip("#").strip()
            if row_has_code == token.start[0]:
                trailing[token.start[0]] = words
            elif words != OWN_HEADING:
                pending.append(words)
        elif token.type not in _NO_CODE:
            row_has_code = token.end[0]
            if pending:
                above[token.start[0]] = pending
                pending = []
    return above, trailing


def module_text(names: dict[Any, Any]) -> str:
    """The text of the module that has these globals, as Python reads it; "" if none."""
    file = names.get("__file__")
    return "".join(linecache.getlines(file)) if isinstance(file, str) else ""


def constant_line(source: Source, name: str, value: object) -> str:
    """The module-level line that defines a constant, spelled as in the module.

    Numbers keep their digits; a string is written anew.
    """
    if type(value) is not str:
        line = rf"^{re.escape(name)}[ \t]*(?::[^=\n]+)?=[ \t]*([^#\n]+)"
        match = re.search(line, module_text(source.globals), re.M)
        spelled = match[1].strip() if match else ""
        if _is_spelling(spelled, value):
            return f"{name} = {spelled}"
    return f"{name} = {written(value)}"


def written(value: object) -> str:
    """A plain value, or a tuple of them, as text."""
    if type(value) is str:
        return string_literal(value)
    if type(value) is tuple:
        inside = ", ".join(map(written, value)) + "," * (len(value) == 1)
        return f"({inside})"
    if type(value) is float and not math.isfinite(value):
        return f'float("{value}")'
    if type(value) is complex and not math.isfinite(abs(value)):
        return f"complex({written(value.real)}, {written(value.imag)})"
    return repr(value)


def _is_spelling(text: str, value: object) -> bool:
    """Whether a text is a literal of this very value: 1 is no spelling of 1.0."""
    try:
        read = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return type(read) is type(value) and repr(read) == repr(value)

"""Text from outside, as it may stand in a text, in a comment, on a terminal.

Names of files and modules, strings, comments and messages hold whatever characters
their writers chose. Everything that is copied goes through these functions, so that it
cannot end a line, close a quote, or steer a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from keyword import iskeyword

# Controls, line separators, marks that turn the direction of text, half characters, and
# others that show nothing. A fixed list: Pythons differ in what they call printable.
_UNSEEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# what Python takes for the name of an encoding in the first two lines of a file
_COOKIE = re.compile(r"coding([:=])")


def visible(text: str) -> str:
    """A text on one line, with an escape for each character that does not show.

    before:  a note<form feed>exit()
    after:   a note\\x0cexit()
    """
    return _UNSEEN.sub(_escape, text)


def visible_lines(text: str) -> str:
    """A text of several lines, each as `visible` has it."""
    return "\n".join(map(visible, text.split("\n")))


def without_cookie(text: str) -> str:
    """A comment for the top of a file, in which Python finds no encoding.

    before:  losses from encoding:loss
    after:   losses from encoding\\x3aloss
    """
    return _COOKIE.sub(lambda found: f"coding\\x{ord(found[1]):02x}", text)


def string_literal(value: str | bytes) -> str:
    """The literal of a string: between double quotes, or single ones where that
    escapes less. All that does not show is escaped.

    before:  say "hi"<carriage return>
    after:   'say "hi"\\r'
    """
    prefix = "b" if isinstance(value, bytes) else ""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = literal_body(text, quote)
    if prefix:  # bytes that are no ASCII are written as numbers
        body = re.sub(r"[\xa0-\xff]", _escape, body)
    return f"{prefix}{quote}{body}{quote}"


def literal_body(text: str, quote: str) -> str:
    """What stands between the quotes of a literal."""
    text = text.replace("\\", "\\\\").replace("\t", "\\t").replace(quote, "\\" + quote)
    return _UNSEEN.sub(_escape, text)


def import_line(
    module: str, name: str | None = None, alias: str | None = None
) -> str | None:
    """The line that imports a module, or a name of it; None where none can.

    A module's name is whatever its maker called it: `my-model`, or a line of code.
    """
    given = (one for one in (name, alias) if one is not None)
    if not all(map(is_name, (*module.split("."), *given))):
        return None
    line = f"import {module}" if name is None else f"from {module} import {name}"
    return line if alias is None else f"{line} as {alias}"


def is_name(text: object) -> bool:
    """Whether a text reads as one name, and as this one."""
    if not isinstance(text, str) or not text.isidentifier() or iskeyword(text):
        return False
    return text.isascii() or unicodedata.normalize("NFKC", text) == text


def as_name(text: str) -> str:
    """The nearest name to a text that is any: what no name has becomes "_"."""
    plain = unicodedata.normalize("NFKC", text)
    name = "".join(c if f"a{c}".isidentifier() else "_" for c in plain)
    return name if is_name(name) else f"_{name}"


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def markdown(text: str) -> str:
    """A sentence as prose of a page in Markdown: no character of it is markup.

    before:  x[i][j] of __iter__, a < b * c
    after:   x\\[i\\]\\[j\\] of \\_\\_iter\\_\\_, a &lt; b \\* c
    """
    # an underscore inside a word is no markup
    marks = r"[\\`*\[\]|]|(?<![^\W_])_|_(?![^\W_])"
    escaped = re.sub(marks, r"\\\g<0>", visible(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")

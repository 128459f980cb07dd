"""The words of a command as a shell reads them, on one line of visible characters."""

from __future__ import annotations

import os
import re
import shlex

from gradgen.quoting import visible

_BARE = re.compile(r"[\w.,*#-]+$")
# between $'...': bytes by number, and characters after a backslash
_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|(.))", re.S)
_WORD = re.compile(r"""\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|\s+|.""", re.S)


def word(text: str) -> str:
    """A text as one word of a command: shlex.quote, and $'...' for what is not seen.

    before:  a b    a<newline>b
    after:   'a b'  $'a\\x0ab'
    """
    if visible(text) != text or "\t" in text:
        return _by_number(text)
    return _without_cookie(text) or shlex.quote(text)


def listed(text: str) -> str:
    """Names and parts of arguments as one word."""
    return text if _BARE.match(text) else word(text)


def fact(name: str, text: str, is_tree: bool) -> str:
    """name=shape as one word: X=n, X="n d"."""
    whole = f"{name}={text}"
    odd = visible(whole) != whole or re.search(r'["\\$`]', text)
    if odd or is_tree or not _BARE.match(name):
        return word(whole)
    special = _without_cookie(whole)
    if special:
        return special
    return whole if _BARE.match(text) and "*" not in text else f'{name}="{text}"'


def words(command: str) -> list[str]:
    """The words of a command that these functions have written, or a person."""
    whole: list[str] = []
    plain = True  # whether the next piece begins a word
    for piece in _WORD.findall(command):
        if piece.isspace():
            plain = True
            continue
        if piece in ("'", '"'):
            raise ValueError("No closing quotation")
        text = _read(piece)
        if plain:
            whole.append(text)
        else:
            whole[-1] += text
        plain = False
    return whole


def _read(piece: str) -> str:
    if piece.startswith("$'") and len(piece) > 2:
        found = piece[2:-1].encode("utf-8", "surrogateescape")
        read = _ESCAPE.sub(
            lambda one: bytes.fromhex(one[1].decode()) if one[1] else one[2], found
        )
        return os.fsdecode(read)
    if len(piece) > 1:
        return "".join(shlex.split(piece))
    return piece


def _by_number(text: str) -> str:
    """$'...' with the bytes of what is not seen by their numbers."""
    shown = ""
    for char in text:
        if char in "\\'":
            shown += "\\" + char
        elif char == "\t" or visible(char) != char:
            shown += "".join(f"\\x{one:02x}" for one in _bytes(char))
        else:
            shown += char
    return "$'" + shown.replace("coding", "codin\\x67") + "'"


def _bytes(char: str) -> bytes:
    try:
        return os.fsencode(char)
    except UnicodeEncodeError:  # half a character, which no file's name has
        return char.encode("utf-8", "surrogatepass")


def _without_cookie(text: str) -> str:
    """The word, broken where Python would read the name of an encoding; "" if not.

    before:  encoding=n d
    after:   encoding'=n d'
    """
    first, *rest = re.split(r"(?<=coding)(?=[:=])", text)
    if not rest:
        return ""
    quoted = ["'" + part.replace("'", "'\\''") + "'" for part in rest]
    return shlex.quote(first) * bool(first) + "".join(quoted)

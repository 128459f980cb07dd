"""Functions of libraries that are read as others: what they do with arrays of NumPy's.

The texts stand in `templates/stand_ins/`, a file for each module, with a line
`module = "..."` that names it, or some of them. A function that is called as one of them is read in its place.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy

from gradgen.frontend.source.names import CALLED
from gradgen.lines import lines_of, text_name
from gradgen.rules.load import folder


# nothing is parsed: a definition goes to the next line that is not indented
MODULES = re.compile(r'^module = "+([^"]+)"', re.MULTILINE)
DEFINITION = re.compile(
    r"^(?:def|class) (\w+)[^\n]*\n(?:(?:(?:[ \t)][^\n]*)?\n)*[ \t)][^\n]*\n)?",
    re.MULTILINE,
)


def stood_in_for(function: Any) -> Callable[..., Any] | None:
    """The function that is read in the place of one; None for most."""
    name = getattr(function, "__name__", "")
    if not callable(function) or not isinstance(name, str):
        return None
    for module, text in stand_ins().get(name, {}).items():
        if getattr(sys.modules.get(module), name, None) is function:
            return _made(module, name, text)
    return None


# in these texts none(value): whether a value is None as far as is known
surely_none = frozenset([None]).__contains__


@cache
def stand_ins() -> dict[str, dict[str, str]]:
    """The definitions by name, and by the modules of these."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((folder() / "stand_ins").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        modules = MODULES.search(text)
        assert modules is not None, path
        for one in DEFINITION.finditer(text):
            for module in modules[1].split():
                found.setdefault(one[1], {})[module] = one[0]
    return found


@cache
def _made(module: str, name: str, text: str) -> Callable[..., Any]:
    file = text_name(name, text)
    linecache.cache[file] = len(text), None, lines_of(text, ends=True), file
    space: dict[str, Any] = {"__name__": CALLED, "np": numpy, "none": surely_none}
    exec(compile(text, file, "exec"), space)
    made: Callable[..., Any] = space[name]
    if isinstance(made, FunctionType):
        made.__module__ = module
    return made

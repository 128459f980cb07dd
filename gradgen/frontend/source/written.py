"""The text that a function was compiled from, as far as it is still there."""

from __future__ import annotations

import inspect
import linecache
import os
from types import FunctionType
from typing import Any

import gast

from gradgen.frontend.source.edited import is_edited
from gradgen.frontend.source.lambdas import definition_of
from gradgen.frontend.source.mangled import mangled
from gradgen.frozen import dataclass
from gradgen.lines import dedented


@dataclass(frozen=True)
class Written:
    """A definition as it stands in a file: its first line, and what was removed before.

    `node` is None where no def of this name stands there; `own` says whether the code
    of the function is that of the text.
    """

    file: str
    first: int
    indent: int
    text: str
    node: gast.FunctionDef | None
    own: bool


def written(function: FunctionType) -> Written:
    """The definition of a function. Raises OSError and TypeError where there is none.

    Lines that were read before are read again where they are not the function's.
    """
    found = _read(function)
    if not found.own and os.path.isfile(found.file):
        linecache.cache.pop(found.file, None)
        found = _read(function)
    return found


def _read(function: FunctionType) -> Written:
    wrapper = hasattr(function, "__wrapped__")  # the text is the wrapper's own
    lines, first = inspect.getsourcelines(function.__code__ if wrapper else function)
    text = dedented("".join(lines))
    indent = len(lines[0]) - len(lines[0].lstrip())
    code = function.__code__
    file = inspect.getsourcefile(code if wrapper else function) or code.co_filename
    own_name = code.co_name if wrapper else function.__name__
    if own_name == "<lambda>":
        found = definition_of(function)
        if found is not None:
            made, whole, own = found
            edited = is_edited(function, own, file)
            return Written(file, 1, 0, "\n".join(whole), made, not edited)
    node: Any = None
    try:
        node = gast.parse(text).body[0]
    except (SyntaxError, ValueError, IndexError):
        pass
    if isinstance(node, gast.FunctionDef) and node.name == own_name:
        edited = is_edited(function, text, file)
        node = mangled(node, code)
        return Written(file, first, indent, text, node, not edited)
    return Written(file, first, indent, text, None, False)

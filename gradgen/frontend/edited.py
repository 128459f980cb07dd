"""Whether the file of a function was edited after the function was imported."""

from __future__ import annotations

import __future__

import ast
import dis
import inspect
import os
import re
import time
from collections.abc import Callable, Hashable, Iterator
from types import CodeType
from typing import Any

# Files that are older than this were not edited while functions were in use; a file
# system's clock may be a little behind.
STARTED = time.time() - 2
FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag
# instructions that depend on what else the module has
SKIPPED = ("LOAD_", "PUSH_NULL", "CACHE", "EXTENDED_ARG", "NOP")
# instructions whose argument is no place in the code
TELLING = ("BINARY_OP", "COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNPACK_SEQUENCE")


def is_edited(function: Callable[..., Any], text: str, file: str) -> bool:
    """Whether `text`, the def that stands in the file now, is of another function.

    inspect reads a changed file anew, and the function runs the old code: a gradient
    of the text would be that of a function that is not called. The text of what has no
    file, a cell of a notebook, is what others have kept, who may split other lines.
    """
    try:
        if os.stat(file).st_mtime < STARTED:
            return False
    except (OSError, ValueError):
        pass
    code = inspect.unwrap(function).__code__
    if any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames)):
        return False  # pytest has written its asserts anew
    try:
        module = ast.parse(text)
    except SyntaxError:
        return True
    if code.co_freevars:
        head = f"def around({', '.join(code.co_freevars)}):\n    pass"
        around = ast.parse(head)
        around.body[0].body = module.body  # type: ignore[attr-defined]
        module = around
    whole = compile(module, file, "exec", code.co_flags & FUTURE, dont_inherit=True)
    found = [one for one in _inside(whole) if one.co_name == code.co_name]
    return not any(_form(one) == _form(code) for one in found)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The functions in a code."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _inside(one)


def _form(code: CodeType) -> Hashable:
    """What a code does, wherever it stands: how it loads a module's names depends
    on what the module imports."""
    told = [
        (one.opname, one.argrepr if one.opname in TELLING else "")
        for one in dis.get_instructions(code)
        if not one.opname.startswith(SKIPPED)
    ]
    # the indentation inside of strings is not that of the file
    plain = [
        re.sub(r"(\\n|\\t| )+", " ", repr(one))
        for one in code.co_consts
        if not isinstance(one, CodeType)
    ]
    names = code.co_names, code.co_freevars, code.co_varnames, code.co_argcount
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return tuple(told), tuple(plain), names, tuple(map(_form, inner))

"""Whether the text of a function is the text of the code that runs."""

from __future__ import annotations

import __future__
import ast
import dis
import inspect
import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any

from gradgen.frontend.source.mangled import in_class

FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag
# instructions that say nothing, or depend on what else the module imports
SKIPPED = ("PUSH_NULL", "CACHE", "EXTENDED_ARG", "NOP")
ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")
JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)


def is_edited(function: Callable[..., Any], text: str, file: str) -> bool:
    """Whether `text`, the def that stands in the file now, is of another function.

    inspect reads the file as it is by now, or as it was read before, and the function
    runs the code that was imported: a gradient of another text would be that of a
    function that is not called. Times of files tell nothing of it, since a file that
    is moved or unpacked brings its own; so the text is compiled, and the codes are
    compared. The text of what has no file, a cell of a notebook, is what others have
    kept, who may split other lines.
    """
    return _differs(function.__code__, text, file)


@lru_cache(maxsize=256)
def _differs(code: CodeType, text: str, file: str) -> bool:
    """The same of a code; the texts of one function ask for it again and again."""
    if any(map(_is_rewritten, (code, *_inside(code)))):
        return False  # pytest has written its asserts anew
    try:
        module = in_class(ast.parse(text), text, code)
        if code.co_freevars:
            head = f"def around({', '.join(code.co_freevars)}):\n    pass"
            around = ast.parse(head)
            around.body[0].body = module.body  # type: ignore[attr-defined]
            module = around
        whole = compile(module, file, "exec", code.co_flags & FUTURE, dont_inherit=True)
    except (SyntaxError, ValueError):
        return True
    found = [one for one in _inside(whole) if one.co_name == code.co_name]
    if any(_is_equal(one, code) for one in found):
        return False
    wanted = _form(code)
    return not any(_form(one) == wanted for one in found)


def _is_equal(one: CodeType, other: CodeType) -> bool:
    """Whether two codes are equal but for their places, which is soon seen."""
    mine = one.co_code, one.co_names, one.co_varnames, one.co_freevars, one.co_flags
    others = other.co_code, other.co_names, other.co_varnames, other.co_freevars
    if mine != (*others, other.co_flags) or len(one.co_consts) != len(other.co_consts):
        return False
    for a, b in zip(one.co_consts, other.co_consts):
        if isinstance(a, CodeType) and isinstance(b, CodeType):
            if not _is_equal(a, b):
                return False
        elif _about(a) != _about(b):
            return False
    return one.co_argcount == other.co_argcount


def _is_rewritten(code: CodeType) -> bool:
    return any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames))


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The functions in a code."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _inside(one)


def _form(code: CodeType) -> Hashable:
    """What a code does, wherever it stands: instructions with what they are about."""
    told = [one for one in dis.get_instructions(code) if one.opname not in SKIPPED]
    offsets = [one.offset for one in told]
    steps = []
    for one in told:
        if one.opcode in JUMPS:
            about: Hashable = bisect_left(offsets, one.argval)
        elif one.opname.startswith("BINARY_OP"):
            about = one.argrepr
        else:
            about = _about(one.argval)
        word = "LOAD_ATTR" if one.opname in ATTRIBUTE else one.opname
        steps.append((word, about))
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    names = code.co_varnames, code.co_freevars, counts, stars
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return tuple(steps), names, tuple(map(_form, inner))


def _about(value: object) -> Hashable:
    """The argument of an instruction: a name, a constant, a number."""
    if isinstance(value, CodeType):
        return value.co_name
    if isinstance(value, str):  # a string's lines are indented as its def is
        return re.sub(r"[\n\t ]+", " ", value)
    if isinstance(value, tuple):
        return ("tuple", *map(_about, value))
    if isinstance(value, frozenset):
        return ("set", *sorted(map(repr, value)))
    return type(value).__name__, repr(value)

"""Private names of classes: self.__rate in a method of Net is self._Net__rate.

Python writes them so when it compiles a class; the text of a method alone has them as
they stand in the file.
"""

from __future__ import annotations

import ast
import re
from types import CodeType
from typing import Any

import gast

LOCALS = "<locals>"
PRIVATE = re.compile(r"__\w*(?<!__)")
IN_TEXT = re.compile(r"(?<!\w)__\w*(?<!__)(?!\w)")


def class_around(code: CodeType) -> str:
    """The name of the innermost class that a function stands in; "" for none."""
    path = code.co_qualname.split(".")[:-1]
    within = [*path[1:], ""]
    own = (name for name, inner in zip(path, within) if LOCALS not in (name, inner))
    return ([""] + list(own))[-1]


def private(name: str, cls: str) -> str:
    """A name as Python has it in a class: _Net__step of __step in Net."""
    own = cls.lstrip("_")
    return f"_{own}{name}" if own and PRIVATE.fullmatch(name) else name


def path_in_classes(function: Any) -> list[str]:
    """The names that lead to a function, the last as its class has it."""
    path = getattr(function, "__qualname__", "").split(".")
    return [*path[:-1], private(path[-1], path[-2])] if len(path) > 1 else path


def in_class(module: ast.Module, text: str, code: CodeType) -> ast.Module:
    """A def as it stands in its class, where that has private names; else as it is."""
    name = class_around(code)
    if name and IN_TEXT.search(text):
        around = ast.parse(f"class {name}:\n    pass").body[0]
        around.body = module.body  # type: ignore[attr-defined]
        module.body = [around]
    return module


def mangled(node: Any, code: CodeType) -> Any:
    """The def with its private names as Python has them.

    before:  def loss(self, x): return self.__rate * x
    after:   def loss(self, x): return self._Net__rate * x
    """
    name = class_around(code).lstrip("_")
    if not name:
        return node

    def whole(word: Any) -> Any:
        is_private = isinstance(word, str) and PRIVATE.fullmatch(word)
        return f"_{name}{word}" if is_private else word

    for part in gast.walk(node):
        for field in ("id", "attr", "arg"):
            if isinstance(getattr(part, field, None), str):
                setattr(part, field, whole(getattr(part, field)))
        if isinstance(part, (gast.Global, gast.Nonlocal)):
            part.names = [whole(one) for one in part.names]
        if isinstance(part, gast.FunctionDef) and part is not node:
            part.name = whole(part.name)
    return node

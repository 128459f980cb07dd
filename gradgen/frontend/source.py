"""A function, or the name of one -> its text, its syntax tree, its globals."""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import inspect
import io
import os
import re
import sys
import textwrap
import tokenize
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.edited import is_edited
from gradgen.frontend.lambdas import definition_of
from gradgen.frontend.raised import import_failed
from gradgen.ir.nodes import Place
from gradgen.ir.room import room

# what stands above the first half of an emitted function
OWN_HEADING = "Forward"
# As many names may be listed in a message.
FEW = 12


@dataclass(frozen=True)
class Source:
    """The text of one function and what its names mean.

    `name` is how the header names it; `lines` are the dedented lines of the
    definition, the first of which is line `first` of `file`; `indent` is what
    was removed in front.
    """

    name: str
    file: str
    first: int
    indent: int
    lines: tuple[str, ...]
    node: gast.FunctionDef
    globals: dict[Any, Any]
    closure: Mapping[str, Any]
    defaults: dict[Any, Any]

    def place(self, node: gast.AST | None = None) -> Place:
        """Where a node stands; the def without one."""
        row = getattr(node, "lineno", 1)
        column = getattr(node, "col_offset", 0)
        return Place(
            self.file,
            self.first + row - 1,
            column + self.indent + 1,
            " " * self.indent + self.lines[row - 1],
        )

    def error(
        self, code: str, message: str, node: gast.AST | None = None, advice: str = ""
    ) -> GradgenError:
        """The error for a place in this source."""
        return GradgenError(code, message, advice=advice).at(self.place(node))

    def segment(self, node: gast.AST) -> str:
        """The text of a node as it stands in the source."""
        first, last = node.lineno - 1, node.end_lineno - 1
        lines = [line.encode() for line in self.lines[first : last + 1]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode()

    def one_line(self, node: gast.AST) -> str:
        """The text of a statement, comments dropped, on one line."""
        text = self.segment(node)
        if "\n" not in text:
            return text
        text = re.sub(r"\s+#[^\n]*", "", text).replace("\\\n", " ")
        text = re.sub(r"\s*\n\s*", " ", text)
        return re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", text))


def find(target: str | Callable[..., Any]) -> Source:
    """The source of a function, or of the function that a name leads to.

    Names: "module.fn", "module:fn", "path/file.py:fn". Raises GradgenError.
    """
    if callable(target):
        module = getattr(target, "__module__", None) or "__main__"
        return source_of(target, f"{module}.{getattr(target, '__qualname__', '?')}")
    return source_of(resolve(target), target)


def resolve(target: str) -> Callable[..., Any]:
    """What stands under a name: see `find`. Raises GradgenError."""
    if not isinstance(target, str):
        raise GradgenError(
            "GG101",
            f"{target!r} is a {type(target).__name__}, not a function",
            advice="a function, or its name",
        )
    path, colon, name = target.rpartition(":")
    if not colon:
        path, _, name = target.rpartition(".")
    if not path or not name.isidentifier():
        raise GradgenError(
            "GG101",
            f"{target!r} does not name a function",
            advice="module.fn, module:fn or path/file.py:fn",
        )
    module = _import(path)
    try:
        found: Callable[..., Any] = getattr(module, name)
        return found
    except AttributeError:
        functions = [n for n, v in vars(module).items() if inspect.isfunction(v)]
        raise GradgenError(
            "GG102",
            f"{path} has no function {name}",
            advice=did_you_mean(name, functions),
        ) from None
    except Exception as error:  # of a __getattr__ of the module's own
        raise import_failed(path, error) from error


def did_you_mean(name: str, known: list[str]) -> str:
    """The nearest known name, or all of them when they are few."""
    # A slip of the fingers seldom changes the first letter.
    close = difflib.get_close_matches(name, known, 5)
    near = [other for other in close if other[:1].lower() == name[:1].lower()]
    near = near or difflib.get_close_matches(name, known, 1, cutoff=0.75)
    if near:
        return f"did you mean {near[0]}?"
    return "one of " + ", ".join(known) if known and len(known) <= FEW else ""


def _import(path: str) -> types.ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        if not path.endswith(".py"):
            return importlib.import_module(path)
        if not os.path.isfile(path):
            raise GradgenError("GG103", f"there is no file {path}")
        # As pytest does: a file's neighbours can be imported from it.
        folder = os.path.dirname(os.path.abspath(path))
        if folder not in sys.path:
            sys.path.insert(0, folder)
        name = os.path.basename(path)[:-3]
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None  # of a file in Python
        module = importlib.util.module_from_spec(spec)
        known = sys.modules.setdefault(name, module)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            if known is module:
                del sys.modules[name]
            raise
        return module
    except GradgenError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise import_failed(path, error) from error


def source_of(function: Callable[..., Any], name: str) -> Source:
    """The source of a function under a name. Raises GradgenError."""
    try:
        with room():
            return _source_of(function, name)
    except (RecursionError, MemoryError):
        code = getattr(function, "__code__", None)
        raise GradgenError(
            "GG199",
            "an expression is nested too deeply",
            advice="a name for a part of it",
            file=_relative(code.co_filename) if code else None,
            line=code.co_firstlineno if code else None,
        ) from None


def _source_of(function: Callable[..., Any], name: str) -> Source:
    if not inspect.isfunction(function):
        raise GradgenError(
            "GG105",
            f"{name} is a {_kind(function)}, not a function written in Python",
            advice="a def that calls it",
        )
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise GradgenError(
            "GG106",
            f"the source text of {name} cannot be read",
            advice="a function that stands in a file",
        ) from None
    text = "".join(lines)
    dedented = textwrap.dedent(text)
    indent = len(lines[0]) - len(lines[0].lstrip())
    file = _relative(inspect.getsourcefile(function) or function.__code__.co_filename)
    try:
        node = gast.parse(dedented).body[0]
    except SyntaxError:
        node = None
    if function.__name__ == "<lambda>":
        found = definition_of(function)
        if found is not None:
            node, whole = found
            first, indent, dedented = 1, 0, "\n".join(whole)
            name = name.replace("<lambda>", node.name)
    elif not isinstance(node, gast.FunctionDef) or node.name != function.__name__:
        node = None
    if not isinstance(node, gast.FunctionDef):
        raise GradgenError(
            "GG107",
            f"{name} is not written as a def",
            advice="def f(x): return ... in place of a lambda",
            file=file,
            line=first,
        )
    if hasattr(function, "__wrapped__") and not node.decorator_list:
        # The text is that of the function inside, which is another.
        raise GradgenError(
            "GG108",
            f"{name} is what a decorator has made of {node.name}",
            advice="the undecorated function",
            file=file,
            line=first,
        )
    if function.__name__ != "<lambda>" and is_edited(function, dedented, file):
        raise GradgenError(
            "GG106",
            f"the text of {name} was edited after it was imported",
            advice="a new start of Python, or importlib.reload of its module",
            file=file,
            line=first,
        )
    closure = inspect.getclosurevars(function).nonlocals
    signature = inspect.signature(function)
    defaults = {
        p.name: p.default
        for p in signature.parameters.values()
        if p.default is not inspect.Parameter.empty
    }
    return Source(
        name,
        file,
        first,
        indent,
        tuple(dedented.splitlines()),
        node,
        function.__globals__,
        closure,
        defaults,
    )


def _kind(value: object) -> str:
    """What a value is called that is not a function."""
    if inspect.isclass(value):
        return "class"
    return "builtin" if inspect.isbuiltin(value) else type(value).__name__


def with_closure(source: Source, function: Callable[..., Any]) -> Source:
    """The source with what the names around a function mean now."""
    if not function.__closure__:
        return source
    return replace(source, closure=inspect.getclosurevars(function).nonlocals)


def _relative(file: str) -> str:
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return file if relative.startswith("..") else relative


def comments(source: Source) -> tuple[dict[int, list[str]], dict[int, str]]:
    """The comments of the function: own lines before a line, and trailing ones.

    Rows count from 1 at the def. gast keeps no comments; tokenize does.
    """
    above: dict[int, list[str]] = {}
    trailing: dict[int, str] = {}
    pending: list[str] = []
    text = "\n".join(source.lines) + "\n"
    row_has_code = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words = token.string.lstrip("#").strip()
            if row_has_code == token.start[0]:
                trailing[token.start[0]] = words
            elif words != OWN_HEADING:
                pending.append(words)
        elif token.type not in (
            tokenize.NL,
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
            tokenize.ENDMARKER,
        ):
            row_has_code = token.end[0]
            if pending:
                above[token.start[0]] = pending
                pending = []
    return above, trailing


def constant_line(source: Source, name: str, value: object) -> str:
    """The module-level line that defines a constant, spelled as in the module."""
    try:
        text = inspect.getsource(sys.modules[source.globals["__name__"]])
    except (KeyError, OSError, TypeError):
        text = ""
    match = re.search(rf"^{re.escape(name)}\s*(?::[^=\n]+)?=\s*([^#\n]+)", text, re.M)
    if match:
        spelled = match.group(1).strip()
        try:
            if ast.literal_eval(spelled) == value:
                return f"{name} = {spelled}"
        except (ValueError, SyntaxError):
            pass
    return f"{name} = {value!r}"

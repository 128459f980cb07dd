"""The whole emitted module: imports, constants, helpers, the function."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import gast

from gradgen.errors import InternalError
from gradgen.ir.library import NUMPY, Library
from gradgen.lines import segment
from gradgen.printer.render import Rendered
from gradgen.printer.scopes import Scope, outside, refuse_hidden, rename, scope_of
from gradgen.printer.text import Blank, to_text
from gradgen.rules.load import helpers


def module_text(functions: Sequence[Rendered], library: Library = NUMPY) -> str:
    """The text of the module: imports, constants, helpers, the functions."""
    needed: list[str] = []
    stack = [helper for one in reversed(functions) for helper in reversed(one.helpers)]
    while stack:
        one = stack.pop()
        if one not in needed:
            needed.append(one)
            text = helpers()[one]
            stack += [other for other in helpers() if f"{other}(" in text]
    lines = list(dict.fromkeys(line for one in functions for line in one.imports))
    imported = library.imported(library.alias)
    if needed and not library.given and imported not in lines:
        lines.insert(0, imported)
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    constants = [line for line in lines if line not in imports]
    body: list[Any] = []
    for line in imports:
        body += _one(line)
    for line in constants:
        body += [Blank()] if line is constants[0] and imports else []
        body += _spelled(line)
    for function in functions:
        _call_slices(function.node)
    scopes = [scope_of(function.node) for function in functions]
    spelled = _free_names(needed, scopes, constants)
    for function, scope in zip(functions, scopes, strict=True):
        if spelled:
            rename(function.node, spelled)
        refuse_hidden(scope.hidden - spelled.keys())
    for one in [n for n in helpers() if n in needed] if needed else []:
        helper = pickle.loads(_pickled(helpers()[one]))
        body += [_spelled_anew(_in_library(helper, library), spelled)]
    body += [one.node for one in functions]
    if library.decorator:
        body = _decorated(body, library.decorator)
    return to_text(gast.Module(body, []))


@lru_cache(maxsize=128)
def _pickled(text: str) -> bytes:
    """The definition that a helper's text is, for as many copies as texts need it."""
    return pickle.dumps(gast.parse(text).body[0])


def _call_slices(function: gast.FunctionDef) -> None:
    """Writes slices that are no keys as Python does.

    before:  if 0:2:                after:  if slice(0, 2):
                 y = y[0:2]                     y = y[0:2]
    """
    nodes = list(gast.walk(function))
    keys = [node.slice for node in nodes if isinstance(node, gast.Subscript)]
    inside = {id(part) for key in keys for part in (key, *getattr(key, "elts", ()))}
    if all(id(node) in inside for node in nodes if isinstance(node, gast.Slice)):
        return

    class Calls(gast.NodeTransformer):
        def visit_Slice(self, node: gast.Slice) -> gast.AST:
            self.generic_visit(node)
            if id(node) in inside:
                return node
            none = gast.Constant(None, None)
            bounds = [node.lower or none, node.upper or none, node.step or none]
            return gast.Call(outside("slice"), bounds, [])

    Calls().visit(function)


def _decorated(body: list[Any], decorator: str) -> list[Any]:
    """The module with its functions under a decorator: @numba.njit(cache=True)."""
    module = decorator.partition(".")[0]
    done: list[Any] = [gast.parse(f"import {module}").body[0]]
    for node in body:
        if isinstance(node, gast.FunctionDef):
            node.decorator_list = [gast.parse(decorator, mode="eval").body]
        done.append(node)
    return done


def _free_names(
    needed: Sequence[str], scopes: Sequence[Scope], constants: Sequence[str]
) -> dict[str, str]:
    """Names for helpers that no function of the text binds, where one does."""
    taken = {line.partition(" ")[0] for line in constants}
    taken |= {name for scope in scopes for name in scope.bound}
    found = {}
    for one in needed:
        name = one
        while name in taken:
            name += "_"
        if name != one:
            found[one] = name
    return found


def _spelled_anew(
    helper: gast.FunctionDef, spelled: dict[str, str]
) -> gast.FunctionDef:
    """A helper under another name, and the helpers that it calls."""
    helper.name = spelled.get(helper.name, helper.name)
    for node in gast.walk(helper):
        if isinstance(node, gast.Name):
            node.id = spelled.get(node.id, node.id)
    return helper


def _in_library(function: gast.FunctionDef, library: Library) -> gast.FunctionDef:
    """A helper for another library: its name for np, which may be a parameter."""
    for node in gast.walk(function):
        if isinstance(node, gast.Name) and node.id == "np":
            node.id = library.alias
        elif isinstance(node, gast.Call) and library.given:
            if getattr(node.func, "id", "") in helpers():
                given = gast.Name(library.alias, gast.Load(), None, None)
                node.args.insert(0, given)
    if library.given:
        parameter = gast.Name(library.alias, gast.Param(), None, None)
        function.args.args.insert(0, parameter)
    return function


def _spelled(line: str) -> list[gast.stmt]:
    """The statement of a line, its numbers spelled as they are there."""
    (statement,) = _one(line)
    for node in gast.walk(statement):
        if isinstance(node, gast.Constant) and type(node.value) in (int, float):
            node.spelling = segment([line], node)
    return [statement]


def _one(line: str) -> list[gast.stmt]:
    """The one import or assignment that a line is; nothing else stands there."""
    found: list[gast.stmt] = gast.parse(line).body
    kinds = (gast.Import, gast.ImportFrom, gast.Assign)
    if len(found) != 1 or not isinstance(found[0], kinds):
        raise InternalError(f"{line!r} is no line of its own")
    return found

"""The texts of methods that fill an instance: what they assign, and what they put where."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import sys
import types
from collections.abc import Iterator
from typing import Any, TypeGuard

from gradgen.frozen import dataclass
from gradgen.frontend.source.fields_told import UNKNOWN, is_none
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.lists_told import bound_in, filled, stored_once
from gradgen.frontend.source.mangled import mangled
from gradgen.frontend.source.ranks import counts_of, lengths_of
from gradgen.frontend.source.lookup import looked_up
from gradgen.frontend.source.reach import functions_of
from gradgen.lines import dedented


def put(
    target: ast.Subscript, text: Definition, held: Held, known: Any, found: Any
) -> None:
    """self.params["W"] = ..., into the dictionary that is known by now; W[i] = ..."""
    base, key = target.value, target.slice
    if not isinstance(key, ast.Constant):
        return fill(base, held, text, known, found)
    if not isinstance(base, ast.Attribute) or not is_named(base.value, text.receiver):
        return
    old = found.get(base.attr)
    if old is None or old.kind != "dict":
        return
    pairs = dict(old.steps()) | {key.value: held}
    parts = tuple(pairs.values())
    found[base.attr] = dataclasses.replace(old, keys=tuple(pairs), parts=parts)


def names_assigned(function: Any, cls: type, seen: set[Any]) -> list[str]:
    """The names alone that a method assigns, and those that it calls."""
    code = inspect.unwrap(function).__code__
    seen.add(code)
    text = definition(code, code.co_filename)
    found: list[str] = []
    if text is None:
        return found
    for part in text.parts:
        if not isinstance(part, ast.Call):
            pairs = [] if isinstance(part, ast.AugAssign) else bindings(part)
            targets = [target for target, value in pairs if value is not None]
            found += [t.attr for t in targets if is_of(t, text.receiver)]
        elif is_of(part.func, text.receiver):
            for one in functions_of(looked_up(cls, part.func.attr)):
                if inspect.unwrap(one).__code__ not in seen:
                    found += names_assigned(one, cls, seen)
    return found


def put_later(function: Any, found: dict[str, Held], more: bool) -> None:
    """What a method puts into dictionaries that __init__ makes may be anything.

    before:  self.params = {"W": None}            in __init__
             self.params = {"W": W, "b": b}       in build, as self.params["W"] = W
    after:   an entry that is None is not after that, and with `more` there is "b"
    """
    code = inspect.unwrap(function).__code__
    text = definition(code, code.co_filename)
    for part in () if text is None else text.parts:
        for target, value in () if isinstance(part, ast.Call) else bindings(part):
            keys = [getattr(target, "slice", None)]
            if isinstance(target, ast.Subscript):
                target = target.value
            elif isinstance(value, ast.Dict):
                keys = list(value.keys)
            if text is not None and is_of(target, text.receiver):
                for key in keys:
                    if isinstance(key, ast.Constant) and target.attr in found:
                        old = found[target.attr]
                        found[target.attr] = _with_entry(old, key.value, more)


def _with_entry(held: Held, key: Any, more: bool) -> Held:
    entries = dict(held.steps()) if held.kind == "dict" else {}
    if key not in entries and not (more and entries):
        return held
    old = entries.setdefault(key, UNKNOWN)
    entries[key] = UNKNOWN if is_none(old) else old
    keys, parts = tuple(entries), tuple(entries.values())
    return dataclasses.replace(held, keys=keys, parts=parts)


def fill(
    items: ast.expr, entry: Held, text: Definition, known: Any, found: Any
) -> None:
    """self.weights.append(...), into what is a list by now; names.append(...)."""
    if is_of(items, text.receiver):
        table, name = found, items.attr
    elif isinstance(items, ast.Name) and items.id in text.once:
        table, name = known, items.id
    else:
        return
    made = filled(table.get(name), entry)
    if made is not None:
        table[name] = made


def bindings(node: Any) -> Iterator[tuple[ast.AST, Any]]:
    """What an assignment binds, each target with its value."""
    targets = getattr(node, "targets", None) or [node.target]
    for target in targets:
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield target, node.value
            continue
        values = getattr(node.value, "elts", [])
        if _is_alike(node.value):
            values = [node.value.elt] * len(target.elts)
        if len(values) != len(target.elts):
            values = list(_items(node.value, target.elts))
        yield from zip(target.elts, values)


def _items(value: ast.expr, targets: list[ast.expr]) -> Iterator[ast.expr]:
    """The items of a value that is no list: f, g = ACTS[act] are ACTS[act][0] and [1]."""
    starred = any(isinstance(one, ast.Starred) for one in targets)
    for place in range(len(targets)):
        item = ast.Subscript(value, ast.Constant(place), ast.Load())
        yield ast.Constant(...) if starred else item


def _is_alike(node: ast.AST) -> bool:
    """Whether each round of a comprehension makes the same: [np.zeros(n) for _ in range(4)]"""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        return False
    read = {n.id for n in ast.walk(node.elt) if isinstance(n, ast.Name)}
    return not read & bound_in(node)


def in_order(node: ast.AST) -> Iterator[Any]:
    """The assignments and the calls in a definition, in the order of the text."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, (ast.FunctionDef, ast.Lambda)):
            continue
        yield from in_order(part)
        if isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Call)):
            yield part


def is_of(node: ast.AST, name: str) -> TypeGuard[ast.Attribute]:
    """Whether it is an attribute of a name."""
    return isinstance(node, ast.Attribute) and is_named(node.value, name)


def is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@dataclass(frozen=True)
class Definition:
    """A method's text: its receiver, its assignments and calls, lengths it names."""

    receiver: str
    parts: tuple[Any, ...]
    counts: frozenset[str]
    lengths: frozenset[str]
    once: frozenset[str]
    # the statements that every run of it reaches, by identity, and those in order
    sure: frozenset[int]
    body: tuple[ast.stmt, ...]


@functools.lru_cache(maxsize=1024)
def definition(code: types.CodeType, file: str) -> Definition | None:
    """The text of a code, which Python compares without its file. None: it has none."""
    try:
        tree = ast.parse(dedented(inspect.getsource(code)))
        node = mangled(tree, code).body[0]
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.FunctionDef) or not node.args.args:
        return None
    receiver = node.args.args[0].arg
    counts = frozenset(counts_of(node))
    sure = frozenset(map(id, node.body))
    told = (
        counts,
        frozenset(lengths_of(node)),
        stored_once(node),
        sure,
        tuple(node.body),
    )
    return Definition(receiver, tuple(in_order(node)), *told)


def parameters_of(cls: Any) -> list[str]:
    """The names of the arguments that an instance is made with."""
    try:
        return list(inspect.signature(cls).parameters)
    except (TypeError, ValueError):
        return []


def attributes_alone(lengths: dict[str, str]) -> dict[str, str]:
    """The lengths that another method than __init__ knows."""
    return {name: one for name, one in lengths.items() if name[0] == "."}


def names_around(near: Any) -> dict[str, Any]:
    """The names of the module that a class or a function stands in."""
    known = getattr(near, "__globals__", None)
    module = sys.modules.get(getattr(near, "__module__", ""))
    return known if known is not None else vars(module) if module else {}

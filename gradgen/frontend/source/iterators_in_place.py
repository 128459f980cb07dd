"""Iterators that have a name and are gone through once, where they are gone through.

factors = accumulate(rates, mul)            total = sum(c * f for c, f in zip(
total = sum(c * f for c, f in zip(              cash, accumulate(rates, mul)))
    cash, factors))

This form is for functions that are refused as they stand. Between the two lines stand
assignments to other names alone, so that what the iterator reads is the same there.
"""

from __future__ import annotations

import builtins
import copy
import itertools
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.around import parents_of
from gradgen.frontend.source.source import Source

# the form in which they stand in place
IN_PLACE = "iterators in place"
LAZY = frozenset("zip map filter enumerate reversed".split())
CHANGING = frozenset("append clear extend insert pop remove reverse sort".split())
COMPREHENSIONS = (gast.GeneratorExp, gast.ListComp, gast.SetComp, gast.DictComp)
OPENED = (gast.Lambda, gast.FunctionDef, *COMPREHENSIONS)


def with_iterators_in_place(source: Source) -> Source:
    """The function with its iterators in place; itself where it has none."""
    node = copy.deepcopy(source.node)
    found = False
    while _one_in_place(node, source):
        found = True
    if not found:
        return source
    return replace(source, node=node, forms=(*source.forms, IN_PLACE))


def _one_in_place(node: gast.FunctionDef, source: Source) -> bool:
    """Puts one iterator in the place where it is gone through; False for none."""
    for holder in gast.walk(node):
        for field in ("body", "orelse"):
            body: Any = getattr(holder, field, None)
            for i, stmt in enumerate(body if isinstance(body, list) else []):
                if _is_iterator(stmt, source) and _moved(node, body, i):
                    return True
    return False


def _is_iterator(stmt: gast.AST, source: Source) -> bool:
    """Whether a statement gives a name to an iterator."""
    if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1:
        return False
    if not isinstance(stmt.targets[0], gast.Name):
        return False
    value = stmt.value
    return isinstance(value, gast.GeneratorExp) or _is_lazy(value, source)


def _is_lazy(value: gast.AST, source: Source) -> bool:
    if not isinstance(value, gast.Call):
        return False
    parts, func = [], value.func
    while isinstance(func, gast.Attribute):
        parts.append(func.attr)
        func = func.value
    if not isinstance(func, gast.Name):
        return False
    outer = {**source.globals, **source.closure}
    found: Any = outer.get(func.id, getattr(builtins, func.id, None))
    for part in reversed(parts):
        if found is not itertools and found is not itertools.chain:
            return False
        found = getattr(found, part, None)
    is_own = getattr(found, "__module__", "") == "itertools"
    is_chained = found == itertools.chain.from_iterable
    is_plain = found is getattr(builtins, func.id, 0) and func.id in LAZY
    return is_own or is_chained or is_plain and not parts


def _moved(node: gast.FunctionDef, body: list[Any], at: int) -> bool:
    """Puts the iterator of a statement where its name is read; False where it may not."""
    stmt = body[at]
    name, parents = stmt.targets[0].id, parents_of(node)
    every = [n for n in gast.walk(node) if isinstance(n, gast.Name) and n.id == name]
    reads = [one for one in every if isinstance(one.ctx, gast.Load)]
    if len(every) != 2 or len(reads) != 1:
        return False
    (read,) = reads
    own = {one.id for one in gast.walk(stmt.value) if isinstance(one, gast.Name)}
    for later in body[at + 1 :]:
        if any(one is read for one in gast.walk(later)):
            if _changes(_head(later)) or not _is_once(read, later, parents):
                return False
            _replaced(parents[read], read, stmt.value)
            del body[at]
            return True
        if not _is_plain(later, own):
            return False
    return False


def _head(stmt: Any) -> gast.AST:
    """What a statement computes first: what a loop goes over."""
    return stmt.iter if isinstance(stmt, gast.For) else stmt


def _is_plain(stmt: gast.AST, own: set[str]) -> bool:
    """Whether a statement only gives values to other names than an iterator reads."""
    if not isinstance(stmt, gast.Assign):
        return False
    targets = [
        one
        for target in stmt.targets
        for one in (target.elts if isinstance(target, gast.Tuple) else [target])
    ]
    names = [one.id for one in targets if isinstance(one, gast.Name)]
    plain = len(names) == len(targets) and not own & set(names)
    return plain and not _changes(stmt.value)


def _changes(value: gast.AST) -> bool:
    """Whether an expression calls a method that changes a list."""
    calls = (one for one in gast.walk(value) if isinstance(one, gast.Call))
    return any(getattr(one.func, "attr", "") in CHANGING for one in calls)


def _is_once(read: gast.Name, stmt: gast.AST, parents: dict[Any, Any]) -> bool:
    """Whether a statement comes to a name once, before anything in it can change."""
    if isinstance(stmt, gast.For):
        return any(one is read for one in gast.walk(stmt.iter)) and _is_open(
            read, stmt.iter, parents
        )
    if isinstance(stmt, (gast.Assign, gast.Return, gast.AugAssign, gast.Expr)):
        return stmt.value is not None and _is_open(read, stmt.value, parents)
    return False


def _is_open(read: gast.AST, whole: gast.AST, parents: dict[Any, Any]) -> bool:
    """Whether what stands in an expression is computed at once, and once."""
    one: Any = read
    while one is not whole:
        parent = parents[one]
        if isinstance(parent, gast.comprehension):
            holder = parents[parent]
            if parent is not holder.generators[0] or one is not parent.iter:
                return False
            one = holder
            continue
        if isinstance(parent, (gast.IfExp, gast.BoolOp, *OPENED)):
            return False
        one = parent
    return True


def _replaced(parent: Any, old: gast.AST, new: gast.AST) -> None:
    for name, value in list(vars(parent).items()):
        if value is old:
            setattr(parent, name, new)
        elif isinstance(value, list):
            value[:] = [new if one is old else one for one in value]

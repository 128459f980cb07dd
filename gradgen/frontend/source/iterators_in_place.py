"""Iterators that have a name and are gone through once, where they are gone through.

factors = accumulate(rates, mul)            total = sum(c * f for c, f in zip(
total = sum(c * f for c, f in zip(              cash, accumulate(rates, mul)))
    cash, factors))

This form is for functions that are refused as they stand. Between the two lines stand
assignments to other names alone, of what changes nothing, and nothing is called ahead of
it in its own line: what the iterator is made of, zip(x.copy(), y), is the same there.
"""

from __future__ import annotations

import builtins
import copy
import itertools
import math
import types
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from gradgen.frontend.source.around import parents_of
from gradgen.frontend.source.names import assigned
from gradgen.frontend.source.source import Source

# the form in which they stand in place
IN_PLACE = "iterators in place"
LAZY = (zip, map, filter, enumerate, reversed)
MODULES = (itertools, itertools.chain, math, np)
# what changes nothing of what it is given
PURE = (
    *(len, range, abs, min, max, sum, float, int, list, tuple),
    *(np.sum, np.mean, np.array, np.zeros, np.ones, np.arange, np.linspace),
)
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
                if _is_iterator(stmt, source) and _moved(node, body, i, source):
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
    found = _called(value, source)
    is_own = getattr(found, "__module__", "") == "itertools"
    return is_own or chains_rows(found) or any(found is one for one in LAZY)


def chains_rows(found: Any) -> bool:
    """Whether a function is chain.from_iterable, which is another object each time."""
    is_method = isinstance(found, types.BuiltinMethodType)
    return is_method and found == itertools.chain.from_iterable


def _called(call: gast.Call, source: Source) -> Any:
    """What a call calls, by a name around the function; None of a name of its own."""
    parts, func = [], call.func
    while isinstance(func, gast.Attribute):
        parts.append(func.attr)
        func = func.value
    own = {*source.parameters, *assigned(source.node.body)}
    if not isinstance(func, gast.Name) or func.id in own:
        return None
    outer = {**source.globals, **source.closure}
    found: Any = outer.get(func.id, getattr(builtins, func.id, None))
    for part in reversed(parts):
        if not any(found is one for one in MODULES):
            return None
        found = getattr(found, part, None)
    return found


def _moved(node: gast.FunctionDef, body: list[Any], at: int, source: Source) -> bool:
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
            if not _is_once(read, later, parents):
                return False
            if not _is_pure(_head(later), source, _around(read, parents)):
                return False
            _replaced(parents[read], read, stmt.value)
            del body[at]
            return True
        if not _is_plain(later, own, source):
            return False
    return False


def _around(read: gast.AST, parents: dict[Any, Any]) -> gast.AST | None:
    """The comprehension that goes through an iterator, which it has made by then."""
    parent = parents[read]
    return parents[parent] if isinstance(parent, gast.comprehension) else None


def _head(stmt: Any) -> gast.AST:
    """What a statement computes first: what a loop goes over."""
    return stmt.iter if isinstance(stmt, gast.For) else stmt


def _is_plain(stmt: gast.AST, own: set[str], source: Source) -> bool:
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
    return plain and _is_pure(stmt.value, source)


def _is_pure(value: gast.AST, source: Source, but: gast.AST | None = None) -> bool:
    """Whether an expression calls nothing that may change an array or a list.

    Elementwise functions of NumPy, those of math and of builtins do not.
    """
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one is but:
            continue
        if isinstance(one, (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)):
            return False
        if isinstance(one, gast.Call) and not _changes_nothing(one, source):
            return False
        waiting += gast.iter_child_nodes(one)
    return True


def _changes_nothing(call: gast.Call, source: Source) -> bool:
    found = _called(call, source)
    if isinstance(found, np.ufunc):
        words = {word.arg for word in call.keywords}
        return len(call.args) <= found.nin and not words & {"out", None}
    if _is_lazy(call, source) or getattr(found, "__module__", "") == "math":
        return True
    return any(found is one for one in PURE)


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

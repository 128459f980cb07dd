"""The arguments by which a function reads entries and counts: places, masks, lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import gast

from gradgen.rules.load import operations


def places_read(node: gast.FunctionDef) -> set[str]:
    """The names that stand in subscripts, as they are or by a part of them.

    before:  d = x[edges[:, 0]] - y[k, 1:len(x)]
    after:   {"edges", "k"}

    So do those whose parts have such names: edges of i = edges[:, 0]; d = x[i].
    """
    subscripts = (one for one in gast.walk(node) if isinstance(one, gast.Subscript))
    found = {name for one in subscripts for name in _named(one.slice)}
    parts = list(_parts(node))
    while more := {base for name, base in parts if name in found} - found:
        found |= more
    return found


def _parts(node: gast.FunctionDef) -> Iterator[tuple[str, str]]:
    """(i, edges) of i = edges[:, 0], and of i, j = edges[:, 0], edges[:, 1]."""
    for stmt in gast.walk(node):
        if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1:
            continue
        pairs = [(stmt.targets[0], stmt.value)]
        if isinstance(stmt.targets[0], gast.Tuple):
            whole = isinstance(stmt.value, gast.Tuple)
            values = (
                stmt.value.elts if whole else [stmt.value] * len(stmt.targets[0].elts)
            )
            pairs = list(zip(stmt.targets[0].elts, values))
        for target, value in pairs:
            while isinstance(value, (gast.Subscript, gast.Attribute)):
                value = value.value
            if isinstance(target, gast.Name) and isinstance(value, gast.Name):
                yield target.id, value.id


def read_by_entries(node: gast.FunctionDef) -> frozenset[int]:
    """The expressions that one entry is read of, by identity: x of x[0], not x[1:].

    So is what has a name that nothing else is done with: self.table of
    `p = self.table`, p["a"].
    """
    subscripts = (n for n in gast.walk(node) if isinstance(n, gast.Subscript))
    found = {id(n.value) for n in subscripts if not isinstance(n.slice, gast.Slice)}
    whole = {
        n.id
        for n in gast.walk(node)
        if isinstance(n, gast.Name)
        and isinstance(n.ctx, gast.Load)
        and id(n) not in found
    }
    bound: dict[str, list[gast.AST | None]] = {}
    for stmt in gast.walk(node):
        targets = getattr(stmt, "targets", None) or [getattr(stmt, "target", None)]
        for target in targets:
            for one in gast.walk(target) if target is not None else ():
                if isinstance(one, gast.Name):
                    alone = one is target and isinstance(stmt, gast.Assign)
                    bound.setdefault(one.id, []).append(stmt.value if alone else None)
    for name, values in bound.items():
        if len(values) == 1 and values[0] is not None and name not in whole:
            found.add(id(values[0]))
    return frozenset(found)


def counts_read(node: gast.FunctionDef, ends: bool = True) -> set[str]:
    """The names that stand among lengths: in range, in slices, in tuples and as keywords.

    before:  for i in range(steps): z = z + np.zeros((n, 3)).sum(axis=k)
    after:   {"steps", "n", "k"}

    What is itself an end of a slice, h of x[:h], may be None: one of them with `ends`.
    """

    def of_call(call: gast.Call) -> Iterator[gast.AST]:
        yield from (word.value for word in call.keywords)
        yield from (arg for arg in call.args if isinstance(arg, gast.Tuple))
        if isinstance(call.func, gast.Name) and call.func.id == "range":
            yield from call.args

    bare: set[int] = set()
    if not ends:
        slices = (one for one in gast.walk(node) if isinstance(one, gast.Slice))
        bounds = (end for one in slices for end in (one.lower, one.upper, one.step))
        bare = {id(end) for end in bounds if isinstance(end, gast.Name)}
    parts = (part for part in _ends(node, of_call) if id(part) not in bare)
    inside = (x for part in parts for x in gast.walk(part))
    return {x.id for x in inside if isinstance(x, gast.Name)}


def lengths_read(node: gast.FunctionDef, around: Mapping[Any, Any]) -> set[str]:
    """The names that surely are whole numbers: ends of slices, of ranges, of shapes.

    before:  W = p[: n * k].reshape(n, k); h = np.zeros((len(p), m)); t = np.arange(d)
    after:   {"n", "k", "m", "d"}
    """
    ends = _ends(node, lambda call: _lengths(call, around))
    return {name for part in ends for name in _counted(part)}


def _ends(
    node: gast.AST, of_call: Callable[[gast.Call], Iterator[gast.AST]]
) -> Iterator[gast.AST]:
    """The ends of slices, and what `of_call` gives of the calls."""
    for one in gast.walk(node):
        if isinstance(one, gast.Slice):
            yield from filter(None, (one.lower, one.upper, one.step))
        elif isinstance(one, gast.Call):
            yield from of_call(one)


def _lengths(call: gast.Call, around: Mapping[Any, Any]) -> Iterator[gast.AST]:
    """n and k of range(n, k), np.zeros((n, k)), x.reshape(n, k), np.reshape(x, (n, k))."""
    func = call.func
    name = getattr(func, "attr", getattr(func, "id", ""))
    rule = operations().get(f"numpy.{name}")
    if name == "range":
        yield from call.args
    elif name == "reshape" or rule is not None and rule.kind == "creation":
        tuples = [arg for arg in call.args if isinstance(arg, gast.Tuple)]
        for one in tuples:
            yield from one.elts
        if name != "reshape":  # np.empty(n), np.arange(n)
            yield from call.args[:1]
        base = getattr(getattr(func, "value", None), "id", "")
        is_method = isinstance(func, gast.Attribute) and not isinstance(
            around.get(base), ModuleType
        )
        if name == "reshape" and is_method and not tuples and len(call.args) > 1:
            yield from call.args


def _counted(part: gast.AST) -> Iterator[str]:
    if isinstance(part, gast.Name):
        yield part.id
    elif isinstance(part, gast.UnaryOp):
        yield from _counted(part.operand)
    elif isinstance(part, gast.BinOp):
        yield from _counted(part.left)
        yield from _counted(part.right)


def _named(key: gast.AST) -> Iterator[str]:
    if isinstance(key, gast.Name):
        yield key.id
    elif isinstance(key, gast.Subscript):
        yield from _named(key.value)
    elif isinstance(key, gast.Tuple):
        for one in key.elts:
            yield from _named(one)

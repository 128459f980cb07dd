"""Lists of rows of one number, which a function stores into by two places: arrays.

D = [[0.0] * (m + 1) for _ in range(n + 1)]       D = np.zeros((n + 1, m + 1))
D[i][j] = cost + min(D[i - 1][j], D[i][j - 1])    ...

This form is for functions that are refused as they stand: a list in a list whose lengths
are not known may have any values.
"""

from __future__ import annotations

import builtins
import copy
import types
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import gast
import numpy

from gradgen.frontend.source.around import parents_of
from gradgen.frontend.source.columns import NESTED, is_stored
from gradgen.frontend.source.source import Source

# the form in which they are arrays
TABLES = "tables"
# what takes a row as it takes a vector; of rows the largest is another matter
OF_ROWS = (sum, max, min)
# what makes a new array of a list, and gives back the array itself
COPYING = ("asarray", "asanyarray")
# what may give back a part of an array, which a store into would change the table by
VIEWS = frozenset(
    "ascontiguousarray atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to "
    "diag diagonal dsplit expand_dims flip fliplr flipud hsplit imag matrix_transpose "
    "moveaxis nan_to_num permute_dims ravel real require reshape rollaxis rot90 "
    "array_split split squeeze swapaxes transpose triu tril unstack vsplit".split()
)


def with_tables(source: Source) -> Source:
    """The function with arrays in the place of such lists; itself without any."""
    node = copy.deepcopy(source.node)
    reading = _Reading(source, node)
    found = {
        name: one
        for name, one in _made(node)
        if reading.is_table(name) and reading.has_floats(name, _sizes(one.value)[-1])
    }
    if not found:
        return source
    taken = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
    words = {name: _unlike(name, taken) for name in ("zeros", "full")}
    for assign in found.values():
        rows, columns, value = _sizes(assign.value)
        both = gast.Tuple([rows, columns], gast.Load())
        is_zero = isinstance(value, gast.Constant) and not value.value
        func = gast.Name(words["zeros" if is_zero else "full"], gast.Load(), None, None)
        if isinstance(value, gast.Constant):  # floats are stored among whole numbers
            value.value = float(value.value)
        assign.value = gast.Call(func, [both] if is_zero else [both, value], [])
        for made_here in (both, func, assign.value):
            gast.copy_location(made_here, assign)
    rows = {
        target.id
        for one in gast.walk(node)
        if isinstance(one, gast.Assign) and isinstance(one.value, gast.Subscript)
        for target in one.targets
        if getattr(one.value.value, "id", "") in found and isinstance(target, gast.Name)
    }
    for call in gast.walk(node):  # np.asarray(T) is an array of its own
        asked = getattr(call, "func", None)
        if isinstance(asked, gast.Attribute) and asked.attr in COPYING:
            bases = [getattr(arg, "value", arg) for arg in call.args]  # of T[i] as well
            if any(getattr(base, "id", "") in {*found, *rows} for base in bases):
                asked.attr = "array"
    made = {words["zeros"]: numpy.zeros, words["full"]: numpy.full}
    closure = {**source.closure, **made}
    return replace(source, node=node, closure=closure, forms=(*source.forms, TABLES))


def _unlike(name: str, taken: Collection[str]) -> str:
    """A name that no variable of the function has."""
    others = (f"{name}_{i}" for i in count(2))
    return name if name not in taken else next(n for n in others if n not in taken)


def _made(node: gast.FunctionDef) -> Iterator[tuple[str, Any]]:
    """The assignments of lists of rows, by their names."""
    for one in gast.walk(node):
        if isinstance(one, gast.Assign) and len(one.targets) == 1:
            (target,) = one.targets
            if isinstance(target, gast.Name) and _sizes(one.value) is not None:
                yield target.id, one


def _sizes(value: Any) -> Any:
    """The lengths of [[0.0] * m for _ in range(n)], n and m, and the number; or None."""
    if not isinstance(value, gast.ListComp) or len(value.generators) != 1:
        return None
    row, rows = _row(value.elt), _range_of(value)
    return None if row is None or rows is None else (rows, *row)


def _row(value: Any) -> tuple[Any, Any] | None:
    """The length of [0.0] * m and of [0.0 for _ in range(m)], and the number."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
        for one, count in ((value.left, value.right), (value.right, value.left)):
            if isinstance(one, gast.List) and len(one.elts) == 1:
                number = one.elts[0]
                return (count, number) if _is_number(number) else None
    if isinstance(value, gast.ListComp) and len(value.generators) == 1:
        count = _range_of(value)
        if count is not None and _is_number(value.elt):
            return count, value.elt
    return None


def _range_of(value: gast.ListComp) -> Any:
    """n of [... for _ in range(n)], where what it counts is not read."""
    (one,) = value.generators
    is_range = isinstance(one.iter, gast.Call) and len(one.iter.args) == 1
    is_range = is_range and getattr(one.iter.func, "id", "") == "range"
    if not is_range or one.ifs or one.is_async or not isinstance(one.target, gast.Name):
        return None
    names = (n for n in gast.walk(value.elt) if isinstance(n, gast.Name))
    read = {n.id for n in names if not is_stored(n)}
    return None if one.target.id in read else one.iter.args[0]


def _is_number(value: Any) -> bool:
    """Whether an entry is a number that is written out: 0.0, -1e9, float("inf")."""
    if isinstance(value, gast.UnaryOp):
        value = value.operand
    if isinstance(value, gast.Constant):
        return type(value.value) in (int, float)
    if isinstance(value, gast.Attribute):
        return value.attr in ("inf", "nan")
    called = isinstance(value, gast.Call) and getattr(value.func, "id", "") == "float"
    return called and len(value.args) == 1 and isinstance(value.args[0], gast.Constant)


class _Reading:
    """What a function does with its names."""

    def __init__(self, source: Source, node: gast.FunctionDef) -> None:
        self.source = source
        self.parents = parents_of(node)
        self.names = [one for one in gast.walk(node) if isinstance(one, gast.Name)]
        self.inner = {
            one.id
            for nested in gast.walk(node)
            if isinstance(nested, NESTED) and nested is not node
            for one in gast.walk(nested)
            if isinstance(one, gast.Name)
        }

    def is_table(self, name: str) -> bool:
        """Whether a list is read, and stored into, as an array would be."""
        uses = [one for one in self.names if one.id == name]
        if name in self.inner or sum(map(is_stored, uses)) != 1:
            return False
        return all(self._of_table(one) for one in uses if not is_stored(one))

    def has_floats(self, name: str, first: Any) -> bool:
        """Whether its entries are floats: 0.0, or what is no whole number that is stored."""
        if not isinstance(first, gast.Constant) or type(first.value) is float:
            return True
        for one in self.names:
            entry = self._entry(one, name)
            value = getattr(self.parents.get(entry), "value", None)
            if isinstance(getattr(entry, "ctx", None), gast.Store):
                if not isinstance(value, gast.Constant) or type(value.value) is float:
                    return True
        return False

    def _entry(self, one: gast.Name, name: str) -> Any:
        """T[i][j] of T in it, and row[j] of row = T[i]."""
        parent = self.parents[one]
        if one.id == name:
            return self.parents[parent]
        rows = (
            getattr(getattr(self.parents[other], "value", None), "value", None)
            for other in self.names
            if other.id == one.id and is_stored(other)
        )
        return parent if any(getattr(row, "id", "") == name for row in rows) else None

    def _of_table(self, name: gast.Name) -> bool:
        parent = self.parents[name]
        if self._is_taken(parent):
            return True
        if not self._is_entry(parent, name) or not isinstance(parent.ctx, gast.Load):
            return False
        around = self.parents[parent]
        if self._is_taken(around, True) or self._is_entry(around, parent):
            return True
        is_row = isinstance(around, gast.Assign) and around.value is parent
        return is_row and all(
            isinstance(one, gast.Name) and self._is_row(one.id)
            for one in around.targets
        )

    def _is_row(self, name: str) -> bool:
        """Whether a name is that of rows alone: row = T[i]; row[j] = x."""
        uses = [one for one in self.names if one.id == name]
        for one in uses:
            parent = self.parents[one]
            if is_stored(one):
                whole = getattr(getattr(parent, "value", None), "value", None)
                made = isinstance(parent, gast.Assign) and isinstance(whole, gast.Name)
                if not made or not self._is_entry(parent.value, whole):
                    return False
            elif not self._is_entry(parent, one) and not self._is_taken(parent, True):
                return False
        return name not in self.inner

    def _is_entry(self, parent: Any, base: Any) -> bool:
        """Whether a node is base[i], of one place."""
        if not isinstance(parent, gast.Subscript) or parent.value is not base:
            return False
        return not isinstance(parent.slice, (gast.Slice, gast.Tuple, gast.Starred))

    def _is_taken(self, parent: Any, is_row: bool = False) -> bool:
        """Whether a call takes a list as it takes an array: len, and NumPy's functions."""
        if not isinstance(parent, gast.Call) or parent.keywords:
            return False
        func = parent.func
        if isinstance(func, gast.Attribute):
            module = self.source.globals.get(getattr(func.value, "id", ""))
            if isinstance(module, types.ModuleType) and module is numpy:
                return func.attr not in VIEWS
            return False
        name = getattr(func, "id", "")
        known = self.source.globals.get(name, getattr(builtins, name, None))
        taken = OF_ROWS if is_row and len(parent.args) == 1 else ()
        return known is len or any(known is one for one in taken)

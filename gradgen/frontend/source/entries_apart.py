"""What is an array before a loop and a list in its rounds, as a list from the beginning.

p = q                                        p = [q[0], q[1]]
for _ in range(5):                           for _ in range(5):
    r = k * (p[0] ** 2 + p[1] ** 2)              r = k * (p[0] ** 2 + p[1] ** 2)
    p = [q[0] - r * p[0], q[1] - r * p[1]]       p = [q[0] - r * p[0], q[1] - r * p[1]]

Where all that reads it reads one of its entries, by a number. This form is for functions
that are refused as they stand.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.around import inside_loops, parents_of
from gradgen.frontend.source.source import Source

# the form in which they are lists
APART = "entries apart"
DISPLAYS = (gast.List, gast.Tuple)
# what stores into nothing that it is given
PLAIN = frozenset("abs float int len max min range round sum zip enumerate".split())
LIBRARIES = ("np", "numpy", "math")
STORING = ("put", "place", "copyto", "fill_diagonal", "putmask", "put_along_axis")
NESTED = (gast.FunctionDef, gast.Lambda, gast.ClassDef)


def with_entries(source: Source) -> Source:
    """The function with such lists; itself without any."""
    node = copy.deepcopy(source.node)
    if any(isinstance(one, NESTED) and one is not node for one in gast.walk(node)):
        return source
    if any(map(may_change, gast.walk(node))):
        return source  # p is q itself, and q may be stored into
    counts = set(numbers_of(node))
    for one in gast.walk(node):
        if (
            isinstance(one, gast.AugAssign)
            and getattr(one.target, "id", "") not in counts
        ):
            return source
    found = list(_starts(node))
    for start, display in found:
        whole = start.value
        items = []
        for i in range(len(display.elts)):
            place = gast.copy_location(gast.Constant(i, "made"), whole)
            entry = gast.Subscript(copy.deepcopy(whole), place, gast.Load())
            items.append(gast.copy_location(entry, whole))
        made = type(display)(items, gast.Load())
        start.value = gast.copy_location(made, whole)
    if not found:
        return source
    return replace(source, node=node, forms=(*source.forms, APART))


def may_change(node: gast.AST) -> bool:
    """Whether a node stores into an array, or may: x[0] = 1, np.put(x, ...), f(x)."""
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return not isinstance(node.ctx, gast.Load)
    if not isinstance(node, gast.Call):
        return False
    if any(word.arg == "out" or word.arg is None for word in node.keywords):
        return True
    given = [*node.args, *(word.value for word in node.keywords)]
    if not any(isinstance(one, (gast.Name, gast.Starred)) for one in given):
        return isinstance(node.func, gast.Attribute) and not is_of_a_library(node.func)
    if isinstance(node.func, gast.Name):
        return node.func.id not in PLAIN
    return not is_of_a_library(node.func)


def is_of_a_library(func: Any) -> bool:
    """Whether a function is one of NumPy's or math's, and stores into nothing."""
    base = getattr(func, "value", None)
    is_known = isinstance(base, gast.Name) and base.id in LIBRARIES
    return is_known and func.attr not in STORING


def numbers_of(node: gast.FunctionDef) -> Iterator[str]:
    """The names of numbers: what all else assigns to them is a constant."""
    lets: dict[str, list[Any]] = {}
    for one in gast.walk(node):
        if isinstance(one, gast.Assign):
            for target in one.targets:
                lets.setdefault(getattr(target, "id", ""), []).append(one.value)
    for name, values in lets.items():
        if all(isinstance(value, gast.Constant) for value in values):
            yield name


def _starts(node: gast.FunctionDef) -> Iterator[tuple[Any, Any]]:
    """The assignments ahead of loops, each with a list that a round assigns."""
    parents, inside = parents_of(node), inside_loops(node)
    names = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
    for name in sorted(names):
        uses = [n for n in gast.walk(node) if getattr(n, "id", None) == name]
        uses = [one for one in uses if isinstance(one, gast.Name)]
        stores = [one for one in uses if not isinstance(one.ctx, gast.Load)]
        lets = [parents[one] for one in stores]
        if not all(is_let(one) for one in lets) or len(lets) < 2:
            continue
        first, *others = lets
        displays = [one.value for one in others]
        lengths = {len(getattr(one, "elts", ())) for one in displays}
        if id(first) in inside or not all(id(one) in inside for one in others):
            continue
        known = all(isinstance(one, DISPLAYS) for one in displays) and len(lengths) == 1
        if not known or not isinstance(first.value, gast.Name):
            continue
        if len({type(one) for one in displays}) > 1:
            continue
        reads = [parents[one] for one in uses if isinstance(one.ctx, gast.Load)]
        (length,) = lengths
        if all(_reads_an_entry(one, length) for one in reads):
            yield first, displays[0]


def is_let(stmt: Any) -> bool:
    return isinstance(stmt, gast.Assign) and len(stmt.targets) == 1


def _reads_an_entry(node: Any, length: int) -> bool:
    """Whether what reads a list is p[0], of a place that it has."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load):
        return False
    place = getattr(node.slice, "value", None)
    return type(place) is int and 0 <= place < length

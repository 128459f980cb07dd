"""What is an array before a loop and a list of unknown length in its rounds, as a list.

p = q                               p = list(q)
for _ in range(n):                  for _ in range(n):
    p = [k * v for v in p]              p = [k * v for v in p]

Where all that reads it takes the one as the other: an entry, its length, a loop over it,
a function of NumPy's. This form is for functions that are refused as they stand.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.around import inside_loops, parents_of
from gradgen.frontend.source.entries_apart import (
    NESTED,
    is_of_a_library,
    is_let,
    may_change,
    numbers_of,
)
from gradgen.frontend.source.source import Source

# the form in which they are lists
AS_LISTS = "as lists"
# what takes a list as it takes an array of its entries
TAKING = frozenset("len list tuple zip enumerate sum min max sorted".split())
BUILDING = ("append", "extend")


def with_lists_before(source: Source) -> Source:
    """The function with lists in the place of such arrays; itself without any."""
    node = copy.deepcopy(source.node)
    every = list(gast.walk(node))
    if any(isinstance(one, NESTED) and one is not node for one in every):
        return source
    builders = set(_builders(every))
    if any(may_change(one) for one in every if id(one) not in builders):
        return source  # p is q itself, and q may be stored into
    own = {one.id for one in every if isinstance(one, gast.Name) and _is_bound(one)}
    if TAKING & (own | source.globals.keys() | source.closure.keys()):
        return source  # list is no list
    counts = set(numbers_of(node))
    changed = (one for one in every if isinstance(one, gast.AugAssign))
    if any(getattr(one.target, "id", "") not in counts for one in changed):
        return source
    found = list(_starts(node))
    for start in found:
        start.value = gast.Call(gast.Name("list", gast.Load()), [start.value], [])
        gast.copy_location(start.value, start)
        gast.fix_missing_locations(start)
    if not found:
        return source
    return replace(source, node=node, forms=(*source.forms, AS_LISTS))


def _is_bound(name: gast.Name) -> bool:
    return not isinstance(name.ctx, gast.Load)


def _builders(every: list[Any]) -> Iterator[int]:
    """The calls that make lists of the function's own longer: r.append(v)."""
    made = {
        target.id
        for one in every
        if isinstance(one, gast.Assign) and isinstance(one.value, gast.List)
        for target in one.targets
        if isinstance(target, gast.Name)
    }
    for one in every:
        func = getattr(one, "func", None)
        if isinstance(func, gast.Attribute) and func.attr in BUILDING:
            if getattr(func.value, "id", "") in made:
                yield id(one)


def _starts(node: gast.FunctionDef) -> Iterator[Any]:
    """The assignments before loops of what rounds make lists of."""
    parents, inside = parents_of(node), inside_loops(node)
    lets: dict[str, list[Any]] = {}
    uses: dict[str, list[Any]] = {}
    for one in gast.walk(node):
        if isinstance(one, gast.Name):
            (lets if _is_bound(one) else uses).setdefault(one.id, []).append(
                parents[one]
            )
    for name, stmts in lets.items():
        first, *others = stmts
        if not others or not all(map(is_let, stmts)) or id(first) in inside:
            continue
        if not all(id(one) in inside for one in others):
            continue
        if not isinstance(first.value, gast.Name):
            continue
        if not all(_is_list(one.value, lets) for one in others):
            continue
        if all(_takes_a_list(one) for one in uses.get(name, ())):
            yield first


def _is_list(value: Any, lets: dict[str, list[Any]]) -> bool:
    """Whether an expression is a list that it makes itself."""
    if isinstance(value, (gast.List, gast.ListComp)):
        return True
    if isinstance(value, gast.IfExp):
        return _is_list(value.body, {}) and _is_list(value.orelse, {})
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Add):
        return _is_list(value.left, {}) and _is_list(value.right, {})
    if isinstance(value, gast.Call):
        return getattr(value.func, "id", "") in ("list", "sorted")
    if isinstance(value, gast.Name):
        own = lets.get(value.id, ())
        return bool(own) and all(is_let(s) and _is_list(s.value, {}) for s in own)
    return False


def _takes_a_list(node: Any) -> bool:
    """Whether what reads a name takes a list as an array: p[-1], len(p), for v in p."""
    if isinstance(node, gast.Subscript):
        plain = not isinstance(node.slice, (gast.Slice, gast.Tuple, gast.List))
        return plain and isinstance(node.ctx, gast.Load)
    if isinstance(node, (gast.For, gast.comprehension)):
        return True
    if isinstance(node, gast.Assign):
        return all(isinstance(one, (gast.Tuple, gast.List)) for one in node.targets)
    if isinstance(node, gast.Call):
        known = getattr(node.func, "id", "") in TAKING
        return (
            known
            or isinstance(node.func, gast.Attribute)
            and is_of_a_library(node.func)
        )
    return False

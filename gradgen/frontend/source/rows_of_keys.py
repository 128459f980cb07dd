"""Lists of dictionaries with the same words, as lists of tuples.

hist = []                                     hist = []
for i in range(n):                            for i in range(n):
    hist.append({"loss": loss, "w": w})           hist.append((loss, w))
return hist[-1]["loss"]                       return hist[-1][0]

All uses have to be known: such a list is named once, appended to, gone over, counted, and
its dictionaries are read by these words alone. Lists of tuples are taken apart in columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from gradgen.frontend.source.around import parents_of

COMPREHENSIONS = (gast.ListComp, gast.GeneratorExp, gast.SetComp)


def with_tuples(node: gast.FunctionDef) -> gast.FunctionDef:
    """The function with its lists of dictionaries as lists of tuples, in place."""
    parents = parents_of(node)
    for name, words in list(_lists(node, parents)):
        reads = _reads(node, name, words, parents)
        if reads is None:
            continue
        for one in gast.walk(node):
            if _is_put(one, name):
                (given,) = one.args
                made = gast.Tuple(given.values, gast.Load())
                one.args = [gast.copy_location(made, given)]
        for read in reads:
            place = gast.Constant(words.index(read.slice.value), "made")
            read.slice = gast.copy_location(place, read.slice)
    return node


def _lists(
    node: gast.FunctionDef, parents: Mapping[Any, Any]
) -> Iterator[tuple[str, list[str]]]:
    """The lists that dictionaries of the same words are appended to, with these."""
    found: dict[str, list[str] | None] = {}
    for one in gast.walk(node):
        name = getattr(getattr(getattr(one, "func", None), "value", None), "id", "")
        if not _is_put(one, name):
            continue
        given = [getattr(key, "value", None) for key in one.args[0].keys]
        keys = [key for key in given if type(key) is str]
        known = keys == given and len(set(keys)) == len(keys)
        same = known and found.get(name, keys) == keys
        found[name] = keys if same else None
    for name, words in found.items():
        if words:
            yield name, words


def _is_put(one: Any, name: str) -> bool:
    """Whether this is name.append({...})."""
    func = one.func if isinstance(one, gast.Call) else None
    return (
        bool(name)
        and isinstance(func, gast.Attribute)
        and func.attr == "append"
        and getattr(func.value, "id", "") == name
        and len(one.args) == 1
        and not one.keywords
        and isinstance(one.args[0], gast.Dict)
    )


def _reads(
    node: gast.FunctionDef, name: str, words: list[str], parents: Mapping[Any, Any]
) -> list[gast.Subscript] | None:
    """What reads a word of the list's dictionaries; None where one may be another use."""
    reads: list[gast.Subscript] = []
    made = 0
    for one in gast.walk(node):
        if not isinstance(one, gast.Name) or one.id != name:
            continue
        parent = parents[one]
        if isinstance(one.ctx, gast.Store):
            made += 1
            empty = isinstance(parent, gast.Assign) and len(parent.targets) == 1
            if not empty or not _is_empty_list(parent.value):
                return None
            continue
        if isinstance(parent, gast.Attribute):
            if not _is_put(parents[parent], name):
                return None
            continue
        if isinstance(parent, gast.Call) and getattr(parent.func, "id", "") == "len":
            continue
        if isinstance(parent, gast.Subscript) and parent.value is one:
            if isinstance(parent.slice, gast.Slice):
                return None
            outer = parents[parent]
            read = _word(outer, parent, words)
            named = [read] if read else _named(outer, node, words, parents)
            if named is None:
                return None
            reads += named
            continue
        more = _gone_over(one, parent, node, words, parents)
        if more is None:
            return None
        reads += more
    return reads if made == 1 else None


def _is_empty_list(value: Any) -> bool:
    return isinstance(value, gast.List) and not value.elts


def _word(outer: Any, inner: Any, words: list[str]) -> gast.Subscript | None:
    """The read of one of the words: item["loss"]."""
    if not isinstance(outer, gast.Subscript) or outer.value is not inner:
        return None
    key = getattr(outer.slice, "value", None)
    known = isinstance(outer.ctx, gast.Load) and isinstance(outer.slice, gast.Constant)
    return outer if known and key in words else None


def _named(
    outer: Any, node: gast.FunctionDef, words: list[str], parents: Mapping[Any, Any]
) -> list[gast.Subscript] | None:
    """What reads an item that has a name of its own: last = hist[-1]."""
    if not isinstance(outer, gast.Assign) or len(outer.targets) != 1:
        return None
    target = outer.targets[0]
    uses = [
        one
        for one in gast.walk(node)
        if isinstance(one, gast.Name)
        and one is not target
        and one.id == getattr(target, "id", None)
    ]
    reads = [_word(parents[one], one, words) for one in uses]
    return None if None in reads or not reads else [one for one in reads if one]


def _gone_over(
    one: gast.Name,
    parent: Any,
    node: gast.FunctionDef,
    words: list[str],
    parents: Mapping[Any, Any],
) -> list[gast.Subscript] | None:
    """What reads the items of a loop over the list, or of a comprehension."""
    whole = parent
    if isinstance(parent, gast.comprehension):
        whole = parents[parent]
    loops = isinstance(parent, gast.For) or isinstance(whole, COMPREHENSIONS)
    if not loops or parent.iter is not one or not isinstance(parent.target, gast.Name):
        return None
    item = parent.target
    inside = {id(n) for n in gast.walk(whole)}
    reads = []
    for other in gast.walk(node):
        if not isinstance(other, gast.Name) or other.id != item.id or other is item:
            continue
        if id(other) not in inside:
            if isinstance(other.ctx, gast.Load) and not isinstance(
                whole, COMPREHENSIONS
            ):
                return None  # read behind the loop
            continue
        read = _word(parents[other], other, words)
        if read is None:
            return None
        reads.append(read)
    return reads

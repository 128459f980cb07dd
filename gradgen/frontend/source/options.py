"""Forms of a function of which more is known, for where it is refused as it stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import gast

from gradgen.frontend.source.entries_apart import with_entries
from gradgen.frontend.source.falling import falls_by_kinds
from gradgen.frontend.source.iterators_in_place import with_iterators_in_place
from gradgen.frontend.source.keyed_by_rounds import with_lists
from gradgen.frontend.source.lists_by_rounds import with_lists_before
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.tables_of_lists import with_tables
from gradgen.frontend.source.tuples_apart import apart

# the kinds of options
OPTIONS = (str, bool, int, type(None))
# what axes are called
AXES = {"axis", "axes", "dim", "dims"}


# refusals of loops whose rounds take other items, keys or functions of a container
BY_ITEM = frozenset(
    "GG207 GG208 GG211 GG213 GG216 GG223 GG231 GG240 GG241 GG244 GG248 GG302 "
    "GG310".split()
)
# refusals of iterators under a name
NAMED = frozenset(("GG205", "GG268"))
# refusals of dictionaries with keys that are not known, and of going over all of them
KEYED = frozenset(("GG231", "GG206"))
# the form in which lists of tuples among results have no seed: the caches of layers
WITHHELD = "withheld"


def better_known(
    source: Source, told: Collection[str], refused: Collection[str]
) -> Iterator[Source]:
    """The function with short loops written out, with options fixed, with both.

    Where a list of tuples is refused: with lists of their parts. Where a function returns
    nothing for other words or kinds of arguments: with an exception there.

    `refused` are the codes that the function is refused with. Options are parameters
    whose default is a string, a flag, a count or None, those that are told excepted.
    """
    kinds = (*OPTIONS, list)
    fixed = {k for k, v in source.defaults.items() if type(v) in kinds} - set(told)
    loops = bool(BY_ITEM.intersection(refused))
    if "GG111" in refused:
        worded = any(type(source.defaults[one]) is str for one in fixed)
        if worded or falls_by_kinds(source.node):
            yield replace(source, ended=True)
    if "GG222" in refused:
        for entries in (with_entries(source), with_lists_before(source)):
            if entries is not source:
                yield from (entries, replace(entries, assumes=True, two_axes=True))
    if NAMED.intersection(refused):
        placed = with_iterators_in_place(source)
        if placed is not source:
            yield from (placed, replace(placed, assumes=True, two_axes=True))
    if KEYED.intersection(refused):
        lists = with_lists(source)
        if lists is not source:
            yield lists
            if not source.two_axes:
                yield replace(lists, assumes=True, two_axes=True)
    if "GG231" in refused:
        tables = with_tables(source)
        if tables is not source:
            yield from (tables, replace(tables, assumes=True, two_axes=True))
    rounds = [replace(source, unrolled=True)] if loops else []
    if loops and "GG244" in refused and not source.assumes:
        # parameters["W" + str(l)], which is told of the dictionary by its rounds
        rounds.append(replace(source, unrolled=True, assumes=True))
    yield from rounds
    if "GG248" in refused:
        yield apart(source)
    # fv=0 may be any number beside when="end"
    words = {name for name in fixed if type(source.defaults[name]) is not int}
    if words and words != fixed:
        yield replace(source, fixed=frozenset(words))
    if fixed:
        yield replace(source, fixed=frozenset(fixed))
        yield from (replace(one, fixed=frozenset(fixed)) for one in rounds)
    if "GG248" in refused:
        yield replace(source, forms=(*source.forms, WITHHELD))


def axes_by_default(source: Source) -> set[str]:
    """The arguments with a default that name axes: np.mean(x, axis=axis), dim=-1."""
    handed = {
        word.value.id
        for node in gast.walk(source.node)
        for word in (node.keywords if isinstance(node, gast.Call) else ())
        if word.arg in AXES and isinstance(word.value, gast.Name)
    }
    kinds = (int, tuple, type(None))
    named = {name for name in source.defaults if name in AXES}
    return {x for x in handed | named if type(source.defaults.get(x, "")) in kinds}

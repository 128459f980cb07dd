"""Forms of a function of which more is known, for where it is refused as it stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import gast

from gradgen.frontend.source import Source

LOOPS = (gast.For, gast.ListComp, gast.GeneratorExp, gast.DictComp)
# the kinds of options
OPTIONS = (str, bool, type(None))


def better_known(source: Source, told: Collection[str]) -> Iterator[Source]:
    """The function with short loops written out, with options fixed, with both.

    Options are parameters whose default is a string, a flag or None, those that are
    told excepted.
    """
    fixed = {k for k, v in source.defaults.items() if type(v) in OPTIONS} - set(told)
    loops = any(isinstance(node, LOOPS) for node in gast.walk(source.node))
    calls = any(isinstance(node, gast.Call) for node in gast.walk(source.node))
    if loops or calls:
        yield replace(source, unrolled=True)
    if fixed:
        yield replace(source, fixed=frozenset(fixed))
        if loops or calls:
            yield replace(source, fixed=frozenset(fixed), unrolled=True)

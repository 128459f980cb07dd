"""An entry of a list by a key that is not known: it is one of those that the list holds.

The text reads it from an array of all of them, which is a copy: what changes in place by
one way is not seen by the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NoReturn

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import as_own
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, is_structure
from gradgen.ir.nodes import Apply, Expr, Ref


def one_of(lowering: Lowering, found: Ref, known: Apply) -> None:
    """Notes that an object is one of those that a list holds, at any depth.

    before:  items = [a, b]; v = items[k]; v *= 2
    after:   v is an object of its own; of a and b nothing is known
    """
    memory = lowering.memory
    if all(lowering.is_number(entry) for entry in _entries(lowering, known)):
        return
    memory.numbers.discard(found.var)
    memory.homes[found.var] = Home(found.var)
    memory.chosen.add(found.var)
    for entry in _entries(lowering, known):
        if isinstance(entry, Ref):
            memory.join(found.var, memory.reach(entry.var))


def refuse_one_of(lowering: Lowering, target: Ref, node: Any) -> None:
    """Refuses a store into such an entry."""
    if target.var in lowering.memory.chosen:
        lowering.fail(
            "GG231",
            "a store into an entry of a list by a key that is not known here is not "
            "supported: other names may have the entry as well",
            node,
            "y = items[k].copy(); y[j] = ...; items[k] = y, or an array",
        )


def unlike(lowering: Lowering, known: Apply, node: Any) -> Ref | None:
    """A list of the text's own, where the entries make no array, or may make none.

    before:  while k < n: x = np.tanh(weights[k] @ x), of (4, 3) and (2, 4)
    after:   items = [weights_0, weights_1], and items[k]

    Where rounds are counted it is refused: with the rounds written out each key is known.
    """
    entries = [lowering.current(entry) for entry in known.args]
    if not any(_may_differ(lowering, *pair) for pair in pairwise(entries)):
        return None
    if lowering.counting and not lowering.root.source.unrolled:
        _refuse_unlike(lowering, node)
    return as_own(lowering, Apply("list", known.args), node)


def _refuse_unlike(lowering: Lowering, node: Any) -> NoReturn:
    lowering.fail(
        "GG244",
        "no gradient for an entry of a list by a key that is not known here: "
        "the entries have several shapes, or may have",
        node,
        "a branch for each entry: v = a if k == 0 else b",
    )


def columns(lowering: Lowering, known: Apply, node: Any) -> list[Apply] | None:
    """Of rows that make no array, as their own entries differ: the entries by place.

    before:  for k in range(n): W, b = layers[k]         # layers = [(A, u), (B, v)]
    after:   for k in range(n): W, b = [A, B][k], [u, v][k]

    Rows that are lists may be stored into: they are refused, as lists of unlike entries.
    """
    rows = [contents(lowering, entry) for entry in known.args]
    found = [row for row in rows if row is not None and row.op in ("tuple", "list")]
    if len(found) != len(rows) or len({len(row.args) for row in found}) != 1:
        return None
    if not any(_is_uneven(lowering, row) for row in found):
        return None
    if any(row.op == "list" for row in found):
        _refuse_unlike(lowering, node)
    by_place = zip(*(row.args for row in found), strict=True)
    return [Apply("tuple", entries) for entries in by_place]


def _is_uneven(lowering: Lowering, row: Apply) -> bool:
    """Whether the entries of a row surely are no rows of one array."""
    if len({contents(lowering, one) is None for one in row.args}) > 1:
        return True
    now = [lowering.current(one) for one in row.args if not is_structure(one)]
    of = lowering.facts.of
    known = all(of(one).dims is not None for one in now)
    return known and any(_may_differ(lowering, *pair) for pair in pairwise(now))


def _may_differ(lowering: Lowering, left: Expr, right: Expr) -> bool:
    """Whether two shapes surely differ, or nothing tells that they are one at a call.

    What has letters of its own counts for one: the letters are, or a line is refused.
    Those that a class tells are lengths that differ.
    """
    source = lowering.root.source
    one, other = lowering.facts.of(left), lowering.facts.of(right)
    if one == other:
        return False
    if one.dims is None or other.dims is None:
        return not any(_is_list(lowering, entry) for entry in (left, right))
    if len(one.dims) != len(other.dims):
        return True
    gaps = [a - b for a, b in zip(one.dims, other.dims)]
    if source.receiver is not None and source.instance is None:
        return any(gap.terms for gap in gaps)
    is_open = any(name.startswith("?") for gap in gaps for name in gap.names)
    return is_open or any(gap.number for gap in gaps)


def _is_list(lowering: Lowering, entry: Expr) -> bool:
    held = lowering.state.held(entry)
    known = isinstance(held, Apply) and is_structure(held)
    return known or lowering.is_dynamic(entry) or lowering.facts.is_list(entry)


def _entries(lowering: Lowering, known: Apply) -> Iterator[Expr]:
    """The entries of a list that is known, and those of the lists among them."""
    for entry in known.args:
        yield entry
        held = lowering.state.held(entry)
        inner = held if isinstance(held, Apply) else entry
        if is_structure(inner):
            yield from _entries(lowering, inner)

"""[*x, y] and (*x, y): what is starred gives its items, in order."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.comprehensions import filled
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import lengths
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Expr


def starred_list(lowering: Lowering, node: gast.List) -> Expr | None:
    """[*x, y] where the length of x is not known: a list that is filled."""
    if not any(isinstance(one, gast.Starred) for one in node.elts):
        return None
    read: list[tuple[bool, Expr, Apply | None]] = []
    versions: list[Expr | None] = []
    for elt in node.elts:
        star = isinstance(elt, gast.Starred)
        handle = lowering.read_at_once(elt.value) if star else lowering.read(elt)
        if star:
            handle = lengths(lowering, lowering.gone_through(handle, node), node)
        if handle is REFUSED:
            return REFUSED
        # as it is now: what stands behind it may change it
        known = contents(lowering, handle) if star else Apply("tuple", (handle,))
        read.append((star, handle, known))
        dynamic = star and known is None and lowering.is_dynamic(handle)
        versions.append(lowering.current(handle) if dynamic else None)
    items: list[Expr] = []
    for _, _, whole in read:
        if whole is None:
            break
        pairs = pairs_of(lowering, whole) if whole.op == "dict" else ()
        items += [key for key, _ in pairs] if pairs else whole.args
    else:
        return new_list(lowering, Apply("list", tuple(items)), wish_of_list(lowering))
    for (_, handle, _), was in zip(read, versions, strict=True):
        if was is not None and lowering.current(handle) != was:
            lowering.fail(
                "GG268",
                "what stands behind a starred list changes it",
                node,
                "a copy of it: [*x.copy(), x.pop()]",
            )
    made: Expr = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    for star, handle, _ in read:
        over = handle if star else Apply("tuple", (handle,))
        load = gast.Name("one ", gast.Load(), None, None)
        store = gast.Name("one ", gast.Store(), None, None)
        inner = gast.comprehension(store, Held(over, node), [], 0)
        each = gast.GeneratorExp(load, [inner])
        for part in (load, store, each):
            gast.copy_location(part, node)
        made = filled(lowering, each, made)
    return made


def spread(lowering: Lowering, nodes: list[Any]) -> tuple[Expr, ...]:
    """The items of a tuple or a list that is written out."""
    items: list[Expr] = []
    for node in nodes:
        if not isinstance(node, gast.Starred):
            items.append(lowering.read(node))
            continue
        value = lowering.gone_through(lowering.read_at_once(node.value), node)
        known = contents(lowering, lengths(lowering, value, node))
        if value is not REFUSED and known is None:
            lowering.fail(
                "GG207",
                "a starred value needs a known length",
                node,
                "the values one by one",
            )
        items += [REFUSED] if known is None else known.args
    return tuple(items)

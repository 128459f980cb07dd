"""Parts of lists, tuples and ranges whose items are known: W[1:], W[:n]."""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import as_own, new_list, part_of_list
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.statics import RangeOf
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static


def part_of_known(
    lowering: Lowering, base: Expr, known: Apply, key: Expr, node: gast.AST | None
) -> Expr:
    """Some items of what is known: one of the same sort.

    before:  W = [0.5, 1.5, 2.5]; W[1:]; W[:n]
    after:   [1.5, 2.5]; a list of the text's own where the end is not known

    The part of a tuple is one, and no list that arrays are read by: it is refused.
    """
    is_range = isinstance(known, RangeOf)
    key = _with_known_ends(lowering, key)
    try:
        part = replace(known, args=known.args[static(key)])
    except ValueError:
        if known.op == "list" and not is_range:
            own = as_own(
                lowering,
                base,
                gast.Name("x", gast.Load(), None, None) if node is None else node,
            )
            return part_of_list(lowering, own, key, node)
        lowering.fail(
            "GG240",
            "where a part of a tuple, or of a range, ends is not known here",
            node,
            "np.array(x)[:n] of numbers, list(x)[:n] of others",
        )
    if known.op != "list":
        return Apply("tuple", part.args)
    return part if is_range else new_list(lowering, part)


def _with_known_ends(lowering: Lowering, key: Expr) -> Expr:
    """A slice whose ends are numbers where they are known: i + 1 of a written-out round."""
    if not isinstance(key, Apply) or key.op != "slice":
        return key
    ends = (value_known(lowering, part) for part in key.args)
    pairs = zip(key.args, ends, strict=True)
    return replace(
        key, args=tuple(Const(n) if type(n) is int else part for part, n in pairs)
    )


def written_out(key: Expr) -> Expr:
    """A key whose tuples are written out: (0, 2) of ROWS = (0, 2) around the function.

    As one constant it would be taken for the place of one entry.
    """
    if isinstance(key, Const) and type(key.value) in (tuple, list):
        parts = tuple(written_out(Const(one)) for one in key.value)
        return Apply(type(key.value).__name__, parts)
    if isinstance(key, Apply) and key.op == "tuple" and not key.kwargs:
        return replace(key, args=tuple(map(written_out, key.args)))
    return key

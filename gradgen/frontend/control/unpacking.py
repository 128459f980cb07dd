"""What makes iterators, and the items of what is unpacked."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.control.counts import counted
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Apply, Const, Expr

# what makes iterators, each of which is gone through once
ITERATORS = (zip, map, filter, enumerate, reversed)


def unless_vector(lowering: Lowering, value: Expr, node: gast.AST) -> None:
    """Raises where an array has not one axis, as Python's functions do."""
    rank = lowering.facts.rank(lowering.current(value, node))
    if rank == 1:
        return
    axes = lowering.bind(Apply("numpy.ndim", (value,)), node)
    test = Apply("numpy.not_equal", (axes, Const(1)), (), "operator")
    raise_where(lowering, test, ValueError, "an array of one axis is wanted")


def unpacked_items(lowering: Lowering, targets: list[Any], node: Any) -> Expr | None:
    """a, b = zip(*rows), a, b = map(f, x): as many items as there are names."""
    names = getattr(targets[0], "elts", None)
    if not isinstance(node, gast.Call) or names is None or len(targets) > 1:
        return None
    if any(isinstance(name, gast.Starred) for name in names):
        return None
    if not makes_iterator(lowering, lowering.resolve(node.func)):
        return None
    found = lowering.items(node)
    if found.known is not None:
        return Apply("tuple", found.known)
    found = counted(lowering, found, node)
    if found.at is None:
        lowering.fail("GG118", "how many values these are is not known", node, "x[0]")
    wanted = Const(len(names))
    if found.length is not None and found.length != wanted:
        length = lowering.current(found.length, node)
        test = Apply("numpy.not_equal", (length, wanted), (), "operator")
        raise_where(lowering, test, ValueError, f"{len(names)} values are wanted")
    return Apply("tuple", tuple(found.at(Const(i)) for i in range(len(names))))


def makes_iterator(lowering: Lowering, function: Any) -> bool:
    """Whether a function makes what is gone through once."""
    if getattr(function, "__module__", "") == "itertools":
        return True
    return among(function, ITERATORS)

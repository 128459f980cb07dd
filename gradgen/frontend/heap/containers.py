"""Dictionaries that are made, and lists that grow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lists import new_list, refuse_gone_over
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir import operators
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import ATTRIBUTES


def untold(lowering: Lowering, base: Expr, key: str, node: gast.AST | None) -> None:
    """Refuses a read of a container whose structure is not told."""
    if isinstance(base, Ref) and base.var.origin is Origin.PARAM:
        name = base.var.name
        words = [*ATTRIBUTES, *operators.METHODS]
        near = did_you_mean(key, words) if len(key) > 2 else ""
        if near.startswith("did") and isinstance(node, gast.Attribute):
            lowering.fail("GG206", f"an array has no .{key}", node, near)
        lowering.fail(
            "GG245",
            f"{name} is a container, and its parts are not told",
            node,
            f'--shape {name}.{key}="..." for each part, an example, or the '
            f"annotation of its class",
        )


def new_dict(lowering: Lowering, items: dict[Any, Any]) -> Ref:
    """A dictionary object of these handles."""
    keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
    return new_list(
        lowering, Apply("dict", tuple(items.values()), keys), wish_of_list(lowering)
    )


def extended(
    lowering: Lowering, handle: Ref, op: str, value: Expr, node: gast.AST
) -> Expr:
    """items += more."""
    if isinstance(handle, Ref) and lowering.is_dynamic(value):
        return _grow(lowering, handle, op, value, node)
    more = contents(lowering, value)
    refuse_gone_over(lowering, handle, node)
    version = lowering.state.versions[handle.var]
    if op != "numpy.add" or more is None or version.op != "list":
        lowering.fail("GG241", "a list takes only +=", node, "items.append(x)")
    lowering.state.versions[handle.var] = replace(
        version, args=(*version.args, *more.args)
    )
    lowering.touch(handle.var)
    return handle


def _grow(lowering: Lowering, handle: Ref, op: str, value: Ref, node: gast.AST) -> Expr:
    """items += more, where the length of one is not known."""
    refuse_gone_over(lowering, handle, node)
    if op != "numpy.add":
        lowering.fail("GG241", "a list takes only +=", node, "items.append(x)")
    version = lowering.state.versions[handle.var]
    if isinstance(version, Apply):
        lowering.state.versions[handle.var] = lowering.as_dynamic(handle.var, version)
    lowering.list_method(handle, "extend", [value], node)
    return handle

"""Containers that a loop returns: their parts go out of it one by one.

before:  while True:                        after:  while True:
             ...                                        ...
             if t >= end:                               if t >= end: break
                 return {"t": t, "v": v}            return {"t": t, "v": v}
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.source.fence import own_nodes, returns_of
from gradgen.ir.nodes import Apply, Expr, Ref

DISPLAYS = (gast.Dict, gast.List)
LOOPS = (gast.For, gast.While)


def by_parts(lowering: Lowering, value: Expr) -> Expr:
    """What a statement returns; of a dictionary or a list, where loops return, its parts.

    What the whole function returns is read no more by others. What a function in it
    returns is a container of its own where that is written out.
    """
    frame = lowering.frame
    if not _from_loops(frame.node):
        return value
    if frame is lowering.root:
        return _parts(lowering, value)
    return _contents(lowering, value) if _are_displays(frame.node) else value


def as_object(lowering: Lowering, frame: Frame, result: Expr) -> Expr:
    """The container that a function in the text returns, made of such parts."""
    if not _from_loops(frame.node) or not _are_displays(frame.node):
        return result
    if not isinstance(result, Apply) or isinstance(result, Record):
        return result
    if result.op == "dict":
        pairs = pairs_of(lowering, result)
        return new_dict(lowering, {getattr(k, "value", None): v for k, v in pairs})
    return new_list(lowering, result) if result.op == "list" else result


def _parts(lowering: Lowering, value: Expr) -> Expr:
    known = _contents(lowering, value)
    if isinstance(known, Apply) and not isinstance(known, Record):
        if known.op in ("dict", "list", "tuple"):
            return replace(
                known, args=tuple(_parts(lowering, one) for one in known.args)
            )
    return value


def _contents(lowering: Lowering, value: Expr) -> Expr:
    """What is in a dictionary or a list whose items are known; another value itself."""
    known = contents(lowering, value) if isinstance(value, Ref) else None
    if known is None or isinstance(known, Record) or known.op not in ("dict", "list"):
        return value
    return known


@lru_cache(maxsize=1024)
def _from_loops(node: Any) -> bool:
    """Whether a function returns from inside a loop, and nothing is done after that."""
    if not isinstance(node, gast.FunctionDef):
        return False
    if any(map(_may_change, own_nodes(node.body))):
        return False
    loops = (one for one in own_nodes(node.body) if isinstance(one, LOOPS))
    return any(
        isinstance(one, gast.Return) for loop in loops for one in own_nodes(loop.body)
    )


def _may_change(node: Any) -> bool:
    """Whether what is returned inside may be changed after that: by a finally, or by what
    ends a with block."""
    is_later = isinstance(node, gast.With) or getattr(node, "finalbody", [])
    return bool(is_later) and any(
        isinstance(one, gast.Return) for one in own_nodes([node])
    )


@lru_cache(maxsize=1024)
def _are_displays(node: Any) -> bool:
    """Whether all that a function returns is written out: {"t": t}, [t, v]."""
    return all(isinstance(one.value, DISPLAYS) for one in returns_of(node))

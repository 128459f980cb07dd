"""What a container holds by now, where it is known item by item."""

from __future__ import annotations

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_structure
from gradgen.ir.nodes import Apply, Const, Expr, Ref


def contents(lowering: Lowering, handle: Expr) -> Apply | None:
    """The items of a container that are known while emitting."""
    if is_structure(handle):
        return handle
    if isinstance(handle, Const) and type(handle.value) is tuple:
        return Apply("tuple", tuple(map(Const, handle.value)))
    if isinstance(handle, Ref):
        version = lowering.state.versions.get(handle.var)
        if isinstance(version, Apply):
            return version
    return None


def wish_of_list(lowering: Lowering) -> str:
    """The name that a new list wishes for."""
    target = lowering.note.lines[0].target if lowering.note.lines else ""
    return target if target.isidentifier() else "items"


def pairs_of(lowering: Lowering, known: Apply) -> list[tuple[Expr, Expr]]:
    """The keys and values of a dictionary that is known."""
    return [(k, v) for (_, k), v in zip(known.kwargs, known.args, strict=True)]

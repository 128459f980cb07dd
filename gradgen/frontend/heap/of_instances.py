"""What an instance holds that only its class tells of: an instance tells more."""

from __future__ import annotations

from typing import Any

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.advice import NO_FIELD
from gradgen.ir.nodes import Apply, Expr, Ref


def attribute_behind(lowering: Lowering, handle: Expr) -> str:
    """The attribute that a value is, or is an entry of; "" where it is none.

    before:  layer of `for layer in self.layers`, of a list that __init__ fills
    after:   "self.layers"
    """
    source = lowering.root.source
    if source.receiver is None or source.instance is not None:
        return ""
    made: Any = handle
    while True:
        if isinstance(made, Ref):
            path = lowering.leaf_paths.get(made.var, ())
            if path and path[0] == source.node.args.args[0].id:
                return ".".join(map(str, path))
            made = lowering.facts.definitions.get(made.var)
        elif isinstance(made, Apply) and made.op in ("getitem", "item"):
            made = made.args[0]
        else:
            return ""


def refuse_untold(lowering: Lowering, handle: Expr, node: Any) -> None:
    """Refuses what asks more of an attribute than its class tells."""
    name = attribute_behind(lowering, handle)
    if name:
        told = f"what {name} holds is not told by its class"
        lowering.fail("GG245", told, node, NO_FIELD)


def which_function(lowering: Lowering, handle: Expr, node: Any) -> str:
    """Why a value that is called is refused: which function it is, is not known."""
    refuse_untold(lowering, handle, node)
    name = node.id if node.id.isidentifier() else "this"  # a value that has no name
    if isinstance(handle, Ref) and not lowering.is_number(handle):
        return f"which function {name} is, is not known here"
    return f"{getattr(handle, 'value', name)} is no function"

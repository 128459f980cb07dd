"""A call of a user's function that has a rule: how it is spelled, and its import."""

from __future__ import annotations

import types

import gast

from gradgen.frontend.heap.names import global_value, importing
from gradgen.frontend.lowering.lowering import Lowering


def spelled(op: str, node: gast.AST, lowering: Lowering) -> tuple[str, dict[str, str]]:
    """The spelling of the call as the user wrote it, and the import lines it needs.

    The lines are by the first name that the text uses: the written one, and that of
    the module, which rules use. A name that the function binds itself is refused.
    In a function of another module it is called by its module's name.
    """
    written = _dotted(node)
    first, dot, _ = written.partition(".")
    module, _, name = op.rpartition(".")
    top = module.partition(".")[0]
    if top in _bound(lowering.root.source.node):
        lowering.fail(
            "GG217",
            f"{top} is a module that the gradient calls, and a name of this function",
            node,
            f"another name for {top}",
        )
    lines = {top: importing(lowering, module, node)}
    if lowering.source.globals is not lowering.root.source.globals:
        return f"name:{op}", lines
    if not dot:
        alias = None if first == name else first
        lines[first] = importing(lowering, module, node, name, alias)
        return f"name:{written}", lines
    meant = global_value(lowering, first)
    if isinstance(meant, types.ModuleType) and meant.__name__ != first:
        parent, _, last = meant.__name__.rpartition(".")
        if last == first:
            lines[first] = importing(lowering, parent, node, first)
        else:
            lines[first] = importing(lowering, meant.__name__, node, alias=first)
    return f"name:{written}", lines


def _dotted(node: gast.AST) -> str:
    """The name that a callee is written as: a name, or attributes of one."""
    if isinstance(node, gast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return str(node.id) if isinstance(node, gast.Name) else ""


def _bound(function: gast.FunctionDef) -> set[str]:
    """The names that a function has as parameters, or assigns."""
    names = (node for node in gast.walk(function) if isinstance(node, gast.Name))
    return {node.id for node in names if not isinstance(node.ctx, gast.Load)}

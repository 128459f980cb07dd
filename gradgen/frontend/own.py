"""A call of a user's function that has a rule: how it is spelled, and its import."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

import gast

if TYPE_CHECKING:
    from gradgen.frontend.expressions import Expressions


def spelled(
    op: str, node: gast.AST, lowering: Expressions
) -> tuple[str, dict[str, str]]:
    """The spelling of the call as the user wrote it, and the import lines it needs.

    The lines are by the first name that the text uses: the written one, and that of
    the module, which rules use. A name that the function binds itself is refused.
    In a function of another module it is called by its module's name.
    """
    written = lowering.source.segment(node)
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
    lines = {top: f"import {module}"}
    if lowering.source.globals is not lowering.root.source.globals:
        return f"name:{op}", lines
    if not dot:
        alias = "" if first == name else f" as {first}"
        lines[first] = f"from {module} import {name}{alias}"
        return f"name:{written}", lines
    meant = lowering.global_value(first)
    if isinstance(meant, types.ModuleType) and meant.__name__ != first:
        parent, _, last = meant.__name__.rpartition(".")
        plain = f"import {meant.__name__} as {first}"
        lines[first] = f"from {parent} import {first}" if last == first else plain
    return f"name:{written}", lines


def _bound(function: gast.FunctionDef) -> set[str]:
    """The names that a function has as parameters, or assigns."""
    names = (node for node in gast.walk(function) if isinstance(node, gast.Name))
    return {node.id for node in names if not isinstance(node.ctx, gast.Load)}

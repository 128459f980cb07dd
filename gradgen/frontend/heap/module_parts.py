"""What modules have under a name, and why one has it not."""

from __future__ import annotations

import types
from typing import Any

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.advice import named_elsewhere
from gradgen.frontend.source.lookup import MISSING, part_of, why_missing
from gradgen.frontend.source.named import did_you_mean


def of_module(lowering: Lowering, module: types.ModuleType, node: Any) -> Any:
    """The object that module.name is; one without it, or that raises, is refused."""
    found = part_of(module, node.attr)
    if found is not MISSING:
        return found
    refuse_failing(lowering, module, node.attr, node)
    near = did_you_mean(node.attr, dir(module))
    told = f"{module.__name__} has no {node.attr}"
    advice = near if near.startswith("did") else named_elsewhere(node.attr)
    lowering.fail("GG205", told, node, advice)


def has_part(lowering: Lowering, base: object, name: str, node: gast.AST) -> bool:
    """Whether a known value has an attribute; a module that raises then is refused."""
    refuse_failing(lowering, base, name, node)
    return part_of(base, name) is not MISSING


def refuse_failing(lowering: Lowering, base: object, name: str, node: gast.AST) -> None:
    """Refuses a module that raises when it is asked for a name: it is not there."""
    failed = why_missing(base, name)
    if failed:
        module = getattr(base, "__name__", type(base).__name__)
        told = f"{module}.{name} cannot be read: {failed}"
        lowering.fail("GG205", told, node, "a module that is installed")

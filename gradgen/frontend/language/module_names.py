"""global, and names of modules that are bound anew."""

from __future__ import annotations

import types
from typing import Any

import gast

from gradgen.frontend.control.module_names import UNKNOWN, place_of_name
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.fence import own_nodes, refused_statement
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Const, Expr

ASSIGNED = (gast.Assign, gast.AnnAssign, gast.AugAssign)


@handles(gast.Global)
def global_(lowering: Lowering, node: gast.Global) -> None:
    """global MODE, of a name that plain assignments bind, or that is only read."""
    if set(node.names) & _bound_otherwise(lowering.frame.node.body):
        lowering.problems.append(refused_statement(lowering.source, node))


@answers(Lowering.name)
def name(lowering: Lowering, node: gast.Name) -> Expr:
    known = _outer(lowering, node.id)
    return (
        name.further(lowering, node) if known is None else _said(lowering, known, node)
    )


@answers(Lowering.resolve)
def resolve(lowering: Lowering, node: gast.AST) -> Any:
    """The Python object of a dotted name, also of one that is bound anew."""
    if isinstance(node, gast.Name):
        known = _outer(lowering, node.id)
    else:
        known = _of_module(lowering, node)
    if known is not None:
        return getattr(_said(lowering, known, node), "value", NO_VALUE)
    return resolve.further(lowering, node)


@answers(Lowering.constant_of)
def constant_of(lowering: Lowering, node: gast.Attribute) -> Expr | None:
    known = _of_module(lowering, node)
    return (
        constant_of.further(lowering, node)
        if known is None
        else _said(lowering, known, node)
    )


def _outer(lowering: Lowering, name: str) -> Expr | None:
    if (
        not lowering.callees.outer
        or lowering.is_local(name)
        or name in lowering.source.closure
    ):
        return None
    return _bound_to(lowering, lowering.source.globals, name)


def _bound_to(lowering: Lowering, table: dict[str, Any], name: str) -> Expr | None:
    """What a name of a module holds, where some function binds it."""
    key = place_of_name(lowering, table, name)
    return None if key is None else lowering.state.names.get(key, UNKNOWN)


def _of_module(lowering: Lowering, node: gast.AST) -> Expr | None:
    """The same of module.NAME."""
    if not isinstance(node, gast.Attribute) or not lowering.callees.outer:
        return None
    base = lowering.resolve(node.value)
    if not isinstance(base, types.ModuleType):
        return None
    return _bound_to(lowering, vars(base), node.attr)


def _said(lowering: Lowering, known: Expr, node: gast.AST) -> Expr:
    """What a name of a module holds; refused where it depends on a branch."""
    if isinstance(known, Const) and known is not REFUSED:
        return known
    if known is REFUSED:
        raise Refusal
    word = "what this name of a module holds is not known here"
    if isinstance(known, Poison):
        word = known.message
    lowering.fail("GG113", word, node, "a parameter")


def _bound_otherwise(body: list[Any]) -> set[str]:
    """The names that statements bind in another way than by name = value."""
    plain: set[int] = set()
    found: set[str] = set()
    for one in own_nodes(body):
        if isinstance(one, ASSIGNED):
            targets = getattr(one, "targets", None) or [one.target]
            plain |= {id(target) for target in targets}
    for one in own_nodes(body):
        if isinstance(one, gast.Name):
            if not isinstance(one.ctx, gast.Load) and id(one) not in plain:
                found.add(one.id)
        elif isinstance(one, (gast.Import, gast.ImportFrom)):
            words = (alias.asname or alias.name for alias in one.names)
            found |= {word.partition(".")[0] for word in words}
        elif isinstance(getattr(one, "name", None), str):
            found.add(one.name)  # a def, a class, a pattern
    return found

"""Which arguments of a function surely are arrays: those it takes parts of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import gast

from gradgen.frontend.lowering.memory import Memory
from gradgen.frontend.source.walked import nodes_in
from gradgen.ir.nodes import Ref, Var

LATER = (gast.Lambda, gast.FunctionDef, gast.ListComp, gast.GeneratorExp)
JUMPS = (gast.Return, gast.Raise, gast.Break, gast.Continue, gast.Yield)


def taken_apart(body: list[Any]) -> set[str]:
    """The names that every run of these statements subscripts, stores or goes over.

    before:  u *= 0.8
             if c: v[0] = 1
             u[0] += 0.2
    after:   {"u"}

    A name that is assigned before is another object, and does not count.
    """
    found: set[str] = set()
    other: set[str] = set()
    for stmt in body:
        if isinstance(stmt, (gast.If, gast.While)):
            found |= _subscripted(stmt.test, other)
        elif isinstance(stmt, gast.For):
            found |= _subscripted(stmt.iter, other)
            if isinstance(stmt.iter, gast.Name) and stmt.iter.id not in other:
                found.add(stmt.iter.id)
        elif isinstance(stmt, gast.With):
            found |= {name for name in taken_apart(stmt.body) if name not in other}
        elif not isinstance(stmt, LATER):
            found |= _subscripted(stmt, other)
        other |= set(_bound(stmt))
        if any(isinstance(node, JUMPS) for node in nodes_in(stmt)):
            break
    return found


def _subscripted(node: gast.AST, other: set[str]) -> set[str]:
    """The names that a statement or an expression surely subscripts, but others."""
    found: set[str] = set()
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
            if node.value.id not in other:
                found.add(node.value.id)
        nodes.extend(_certain(node))
    return found


def _certain(node: gast.AST) -> Iterator[Any]:
    """The parts of a node that are read whenever it is."""
    if isinstance(node, LATER):
        return
    if isinstance(node, gast.BoolOp):
        yield node.values[0]
    elif isinstance(node, gast.IfExp):
        yield node.test
    elif isinstance(node, gast.Compare):
        yield node.left
        yield node.comparators[0]
    else:
        yield from gast.iter_child_nodes(node)


def _bound(stmt: gast.AST) -> Iterator[str]:
    """The names that a statement may bind anew; x += y keeps an array."""
    kept = set()
    if isinstance(stmt, gast.AugAssign):
        kept.add(id(stmt.target))
    for node in nodes_in(stmt):
        if isinstance(node, gast.AugAssign):
            kept.add(id(node.target))
        if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del)):
            if id(node) not in kept:
                yield node.id
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            yield node.name


@lru_cache(maxsize=1024)
def _taken_apart(node: Any) -> tuple[str, ...]:
    """The same of a function's statements, in an order of its own."""
    return tuple(sorted(taken_apart(node.body)))


def arrays_among(
    names: dict[Any, Any], number: int, node: Any, memory: Memory
) -> set[Var]:
    """The buffers of a call's arguments that a function surely takes apart."""
    found = set()
    for name in _taken_apart(node):
        handle = names.get((number, name))
        if isinstance(handle, Ref) and handle.var not in memory.numbers:
            home = memory.home(handle.var)
            if not home.path:
                found.add(home.buffer)
    return found

"""Comprehensions over a vector that are computed entry by entry: one operation of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast
import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.lowering.frames import REFUSED, Frame, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.walk import reads, substitute
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

# what takes a list as it takes a vector
TAKES = (sum, np.sum, np.mean, np.array, np.asarray)
# what an entry may be computed by
PLAIN = (
    gast.BinOp,
    gast.UnaryOp,
    gast.Name,
    gast.Constant,
    gast.Attribute,
    gast.Call,
    gast.Subscript,
    gast.operator,
    gast.unaryop,
    gast.expr_context,
)


def taken_at_once(
    lowering: Lowering, value: object, node: gast.Call
) -> Expr | gast.Call | None:
    """A call of a comprehension over a vector as one of a vector; None for another call.

    before:  np.mean([np.exp(-t / tau) for t in times])        np.array([v**2 for v in x])
    after:   np.mean(np.exp(-times / tau))                     x**2
    """
    inside = node.args[0] if len(node.args) == 1 else None
    if not isinstance(inside, gast.ListComp) or not any(value is one for one in TAKES):
        return None
    if node.keywords and value is not np.sum and value is not np.mean:
        return None
    if value is sum:
        return summed_at_once(lowering, inside)
    whole = entries_at_once(lowering, inside)
    if whole is None:
        return None
    if value is np.array or value is np.asarray:
        return whole
    made = gast.Call(node.func, [Held(whole, inside)], node.keywords)
    return gast.copy_location(made, node)


def summed_at_once(
    lowering: Lowering, node: gast.GeneratorExp | gast.ListComp
) -> Expr | None:
    """The sum of what is computed of each entry of a vector; None where it is a loop.

    before:  sum(w * (v - m) ** 2 for v in x)        # x is a vector, w and m numbers
    after:   np.sum(w * (x - m) ** 2)
    """
    whole = entries_at_once(lowering, node, is_summed)
    return whole and lowering.bind(Apply("numpy.sum", (whole,)), node)


def is_summed(facts: Facts, items: Expr) -> bool:
    """Whether Python's sum of an array is np.sum, along its first axis.

    Not of integers, which Python adds up in their own dtype: np.uint8 overflows there.
    """
    is_array = bool(facts.rank(items)) and not facts.is_list(items)
    return is_array and facts.kind(items) is not Kind.INTEGER


def entries_at_once(
    lowering: Lowering,
    node: gast.GeneratorExp | gast.ListComp,
    may: Callable[[Facts, Expr], bool] = lambda facts, value: True,
) -> Expr | None:
    """What is computed of each entry of a vector, as one; None where it is a loop.

    Each operation has to be an elementwise one of NumPy's, of entries and numbers alone.
    `may` says whether the vector can be used.
    """
    inner = node.generators[0]
    if not isinstance(inner.target, gast.Name) or inner.ifs or inner.is_async:
        return None
    if len(node.generators) > 1 or not _is_plain(node.elt, inner.target.id):
        return None
    body, state, problems = lowering.body, lowering.state.copy(), len(lowering.problems)
    mark, frame, note = lowering.mark(), lowering.frame, lowering.note
    lowering.body = []
    try:
        value = _whole(lowering, node, inner)
        found = value is not None and may(lowering.facts, value)
        found = found and lowering.state.is_as(state, mark)
    except (Refusal, GradgenError):
        found, value = False, None
    finally:
        written, lowering.body = lowering.body, body
        lowering.frame, lowering.note = frame, note
    if not found or value is None or len(lowering.problems) > problems:
        lowering.state = state
        del lowering.problems[problems:]
        return None
    lowering.body.extend(written)
    return value


def _is_plain(node: gast.AST, target: str) -> bool:
    """Whether a value is computed without a test, and no place is read by an entry."""
    for one in gast.walk(node):
        if not isinstance(one, PLAIN):
            return False
        inside = gast.walk(one) if isinstance(one, gast.Subscript) else ()
        if any(getattr(part, "id", "") == target for part in inside):
            return False
    return True


def _whole(
    lowering: Lowering,
    node: gast.GeneratorExp | gast.ListComp,
    inner: gast.comprehension,
) -> Expr | None:
    """The vector of what is computed of each entry."""
    items = lowering.gone_through(lowering.read_at_once(inner.iter), node)
    facts = lowering.facts
    if items is REFUSED or not isinstance(items, Ref) or facts.is_list(items):
        return None
    if facts.rank(items) != 1:
        return None
    items = lowering.current(items, node)  # what it holds by now
    if not isinstance(items, Ref):
        return None
    start = len(lowering.body)
    entry = lowering.emit(Apply("numpy.asarray", (items,)), items.var.name, node)
    lowering.calls_made += 1
    number, outer = lowering.calls_made, lowering.frame
    lowering.frame = Frame(
        number,
        outer.source,
        frozenset({inner.target.id}),
        outer,
        node=node,
        name=outer.name,
        note=lowering.note,
    )
    lowering.state.names[number, inner.target.id] = entry
    value = lowering.current(lowering.read(node.elt), node)
    del lowering.state.names[number, inner.target.id]
    lowering.frame = outer
    entries = _entries(lowering, lowering.body[start + 1 :], entry.var)
    if not isinstance(value, Ref) or value.var not in entries - {entry.var}:
        return None
    if not _may_be_list(lowering, items):
        _name_items(lowering, start, entry, items)
    return value


def _may_be_list(lowering: Lowering, items: Ref) -> bool:
    """Whether it is of an argument that may be a list as far as anything tells."""
    made = lowering.facts.definitions.get(items.var)
    base = made.args[0] if getattr(made, "op", "") == "getitem" and made else items
    whole = base.var if isinstance(base, Ref) else items.var
    is_assumed = whole.name in dict(lowering.source.assumed)
    return whole.origin is Origin.PARAM and is_assumed


def _name_items(lowering: Lowering, start: int, entry: Ref, items: Ref) -> None:
    """Reads the vector itself, where what stood for one of its entries was read.

    Until then they are two: of `v - x` for v in x only one operand is an entry.
    """
    written = lowering.body[start + 1 :]
    del lowering.body[start:]
    for stmt in written:
        if isinstance(stmt, Let):
            value = substitute(stmt.value, {entry.var: items})
            lowering.body.append(replace(stmt, value=value))
            lowering.learn(stmt.var, value)


def _entries(lowering: Lowering, written: list[Stmt], items: Var) -> set[Var]:
    """What is computed entry by entry of the items; nothing where something is not."""
    entries = {items}
    for stmt in written:
        value = stmt.value if isinstance(stmt, Let) else None
        if value is None or not isinstance(stmt, Let):
            return set()
        if entries.isdisjoint(reads(value)):
            continue
        rule = operations().get(value.op) if isinstance(value, Apply) else None
        if rule is None or not isinstance(value, Apply) or value.kwargs:
            return set()
        if rule.kind != "elementwise" or value.spelling.startswith("name:"):
            return set()
        for arg in value.args:
            is_entry = isinstance(arg, Ref) and arg.var in entries
            if not is_entry and lowering.facts.rank(arg) != 0:
                return set()
        entries.add(stmt.var)
    return entries

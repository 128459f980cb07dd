"""Lists of numbers that are written out, and read by a key that is not known here.

The text has them once, ahead of what reads them, and not where each entry is read.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import getitem
from gradgen.ir.upstream import upstream
from gradgen.shapes.kinds import Kind


# numbers that may be any but counts and truths
FLOATS = (Kind.WEAK, Kind.LIKE, Kind.WIDE)


def is_table(value: Expr) -> bool:
    """Whether a list or a tuple holds numbers alone, or rows of as many numbers each.

    [0.5, 1.5, 2.5]     [(0.1, 0.2), (0.3, 0.4)]
    """
    return _has_rows(value, _is_number)


def is_computed_table(lowering: Lowering, value: Expr) -> bool:
    """Whether they are computed of constants: [(-g, g), (g, 0.0)] of g = np.sqrt(0.6)."""

    def is_number(one: Expr) -> bool:
        if isinstance(one, Const):
            return _is_number(one)
        facts = lowering.facts
        if facts.rank(one) != 0 or facts.kind(one) not in FLOATS:
            return False
        ends = upstream(one, facts.definitions, lambda made: made.args)
        return all(isinstance(end, Const) for end in ends)

    return _has_rows(value, is_number)


def _has_rows(value: Expr, is_number: Callable[[Expr], bool]) -> bool:
    if not isinstance(value, Apply) or value.op not in ("list", "tuple"):
        return False
    if all(map(is_number, value.args)):
        return len(value.args) > 1
    rows = [one for one in value.args if isinstance(one, Apply)]
    same = {len(row.args) for row in rows} if len(rows) == len(value.args) else set()
    return len(same) == 1 == len({row.op for row in rows}) and all(
        row.op in ("list", "tuple") and all(map(is_number, row.args)) for row in rows
    )


def computed_table(lowering: Lowering, known: Apply, node: gast.AST | None) -> Ref:
    """The handle of such a table, which stands where it is gone through."""
    made = lowering.result(_as_lists(known), _name_of(node), node)
    lowering.memory.lists.add(made.var)
    return made


def entry_of_table(
    lowering: Lowering,
    base: Expr,
    known: Apply,
    key: Ref,
    node: gast.AST | None,
    table: Ref | None = None,
) -> Expr:
    """The number at a key, or the row: a list or a tuple of its numbers.

    A tuple of the module has its name in the text anyway.
    """
    named = table is None and isinstance(base, Const) and base.text is not None
    source = table or (base if named else _table_of(lowering, known, node))
    first = known.args[0]
    if not isinstance(first, Apply):
        return lowering.bind(Apply("getitem", (source, key), (), "operator"), node)
    op = "getitem" if named else "item"
    row = lowering.bind(Apply(op, (source, key), (), "operator"), node)
    return Apply(
        first.op,
        tuple(lowering.bind(getitem(row, i), node) for i in range(len(first.args))),
    )


def _table_of(lowering: Lowering, known: Apply, node: gast.AST | None) -> Ref:
    """The handle of a table, by its name: it stands first in the function.

    before:  STEPS = [0.5, 0.25, 0.125]
             def f(x): ... x[i] * STEPS[i]
    after:   def f(x):
                 STEPS = [0.5, 0.25, 0.125]
                 ... x[i] * STEPS[i]
    """
    name = _name_of(node)
    key = 0, name, known
    if key not in lowering.module_arrays:
        body, state = lowering.body, lowering.state
        lowering.body, lowering.state = lowering.preamble, state.copy()
        try:
            made = lowering.result(_as_lists(known), name, node)
        finally:
            lowering.body, lowering.state = body, state
        lowering.memory.lists.add(made.var)
        lowering.shared_arrays.add(made.var)
        lowering.module_arrays[key] = lowering.wish(made.var, name)
    found = lowering.module_arrays[key]
    assert isinstance(found, Ref)
    return found


def _is_number(value: Expr) -> bool:
    return isinstance(value, Const) and type(value.value) in (int, float)


def _as_lists(value: Apply) -> Apply:
    """Rows as lists, of which the shapes of entries are known."""
    rows = (_as_lists(one) if isinstance(one, Apply) else one for one in value.args)
    return Apply("list", tuple(rows))


def _name_of(node: gast.AST | None) -> str:
    """What a table is called where it is read: STEPS of STEPS[i] and of settings.STEPS[i]."""
    base = node.value if isinstance(node, gast.Subscript) else node
    while isinstance(base, gast.Subscript):
        base = base.value
    if isinstance(base, gast.Attribute):
        return str(base.attr)
    return str(base.id) if isinstance(base, gast.Name) else "table"

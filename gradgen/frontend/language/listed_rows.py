"""Lists in a list, of which one is read by a key that is not known here.

before:  rows = [[x[0], 1.0], [x[1], 2.0]]
         np.array(rows[i]) ** 2; rows[i] + rows[0]
after:   rows[i] is an array for NumPy; under + a list, which joins: refused
"""

from __future__ import annotations

from typing import Any, NoReturn

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.written_lists import has_axes
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.shapes.kinds import INTEGRAL


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    known = contents(lowering, base) if REFUSED not in (base, key) else None
    of_lists = known is not None and _holds_lists(lowering, known)
    found = item.further(lowering, base, key, node)
    if of_lists and isinstance(found, Ref) and contents(lowering, found) is None:
        if not lowering.is_dynamic(found):
            lowering.memory.rows.add(found.var)
    return found


def _holds_lists(lowering: Lowering, known: Apply) -> bool:
    """Whether all entries of a list are lists whose items are known."""
    if known.op not in ("list", "tuple") or not known.args:
        return False
    rows = (contents(lowering, entry) for entry in known.args)
    return all(row is not None and row.op == "list" for row in rows)


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    """`+` and `*` of such a row: it joins and repeats, unless an array is beside it."""
    sides = node.left, node.right
    if isinstance(node.op, (gast.Add, gast.Mult)) and any(map(_may_be_row, sides)):
        left, right = lowering.read(node.left), lowering.read(node.right)
        _refuse_rows(lowering, left, right, node)
        _refuse_defaults(lowering, left, right, node)
        held = Held(left, node.left), Held(right, node.right)
        made = gast.BinOp(left=held[0], op=node.op, right=held[1])
        node = gast.copy_location(made, node)
    return binary_operation.further(lowering, node)


def _refuse_defaults(
    lowering: Lowering, left: Expr, right: Expr, node: gast.BinOp
) -> None:
    """K + K and 2 * K of an argument that is a list, or a tuple, by default.

    Lists are joined and repeated, and arrays of a call added and multiplied.
    """
    for one, other in ((left, right), (right, left)):
        if not _is_listed(lowering, one) or has_axes(lowering, other, node):
            continue
        if isinstance(node.op, gast.Add):
            joins = _is_listed(lowering, other) or contents(lowering, other) is not None
        else:
            joins = lowering.facts.kind(lowering.current(other, node)) in INTEGRAL
        if joins:
            name = getattr(one, "var").name
            lowering.fail(
                "GG214",
                f"{name} is a list or a tuple by default, which this operator joins or "
                "repeats, and no array",
                node,
                f"np.array({name}) where an array is meant",
            )


def _is_listed(lowering: Lowering, handle: Expr) -> bool:
    made = (
        lowering.facts.definitions.get(handle.var) if isinstance(handle, Ref) else None
    )
    if isinstance(made, Apply) and made.op == "getitem" and is_slice(made.args[1]):
        handle = made.args[0]  # K[1:] of it
    if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
        return False
    default = lowering.root.source.defaults.get(handle.var.name)
    return type(default) in (list, tuple)


def _may_be_row(node: gast.AST) -> bool:
    return isinstance(node, gast.Subscript | gast.Name)


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """Lists are compared as wholes, not entry by entry."""
    if not isinstance(op, (gast.Is, gast.IsNot)):
        _refuse_rows(lowering, left, right, node)
    return comparison.further(lowering, op, left, right, node)


@answers(Lowering.augment)
def augment(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
) -> Expr:
    """`+=` and `*=` make the list longer, whatever is beside it."""
    if isinstance(handle, Ref) and handle.var in lowering.memory.rows:
        _refuse_row(lowering, node)
    return augment.further(lowering, handle, op, value, node, name)


def _refuse_rows(lowering: Lowering, left: Expr, right: Expr, node: Any) -> None:
    for one, other in ((left, right), (right, left)):
        is_row = isinstance(one, Ref) and one.var in lowering.memory.rows
        if is_row and not has_axes(lowering, other, node):
            _refuse_row(lowering, node)


def _refuse_row(lowering: Lowering, node: Any) -> NoReturn:
    lowering.fail(
        "GG240",
        "which of the lists in a list this is, is not known here, and a list is no array "
        "under this operator",
        node,
        "np.array(rows[i]) where an array is meant, or a key that is written out",
    )

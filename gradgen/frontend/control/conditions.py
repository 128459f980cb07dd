"""The truth of a test, as the text asks it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Expr, Let, Origin
from gradgen.ir.walk import reads, substitute


def read_test(lowering: Lowering, node: gast.AST) -> Expr:
    """A condition as one expression; what it needs besides stands before it."""
    try:
        return _test(lowering, node)
    except Refusal:
        return REFUSED


def _test(lowering: Lowering, node: gast.AST) -> Expr:
    if isinstance(node, gast.BoolOp):
        kept, state = list(lowering.body), lowering.state.copy()
        parts = _asked(lowering, node)
        if parts is None:
            lowering.body, lowering.state = kept, state
            return _value_tested(lowering, node)
        op = "and" if isinstance(node.op, gast.And) else "or"
        return Apply(op, parts, (), "operator") if len(parts) > 1 else parts[0]
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return Apply("not", (_test(lowering, node.operand),), (), "operator")
    body, state = lowering.body, lowering.state.copy()
    tree = _tree(lowering, node)
    if tree is not None:
        return tree
    lowering.body, lowering.state = body, state
    return _value_tested(lowering, node)


def _asked(lowering: Lowering, node: gast.BoolOp) -> tuple[Expr, ...] | None:
    """The parts of `a and b` that are asked: none behind one that decides it.

    before:  if "k" in options and options["k"] > 0: ...    options = {}
    after:   nothing
    None where a part does not fit into an expression.
    """
    parts: list[Expr] = []
    for value in node.values:
        part = _tree(lowering, value) if parts else _test(lowering, value)
        if part is None:
            return None
        parts.append(part)
        if known_truth(lowering, part) is isinstance(node.op, gast.Or):
            break
    return tuple(parts)


def _tree(lowering: Lowering, node: gast.AST) -> Expr | None:
    """A condition whose operations all fit into one expression, else None."""
    body, state, mark = lowering.body, lowering.state.copy(), lowering.mark()
    lowering.body = []
    try:
        value = _test_value(lowering, node)
        inner = lowering.body
    finally:
        lowering.body = body
    folded = folded_into(value, inner, lowering.renamed)
    if any(_is_of_list(lowering, statement) for statement in inner):
        folded = None  # of which an array is made in a line of its own
    if not lowering.state.is_as(state, mark):
        folded = None  # something changes there, and only where it is computed
    if folded is None:
        lowering.state = state
    else:
        # what was read anew for the condition stands inside it
        lowering.state.renewed = state.renewed
    return folded


def _test_value(lowering: Lowering, node: gast.AST) -> Expr:
    if isinstance(node, (gast.BoolOp, gast.UnaryOp)):
        is_not = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
        if is_not or isinstance(node, gast.BoolOp):
            return _test(lowering, node)
    if isinstance(node, gast.Compare) and len(node.ops) > 1:
        parts = _links(lowering, node)
        return Apply("and", tuple(parts), (), "operator")
    return _value_tested(lowering, node)


def _value_tested(lowering: Lowering, node: gast.AST) -> Expr:
    return lowering.current(lowering.as_truth(lowering.read(node), node), node)


def _links(lowering: Lowering, node: gast.Compare) -> list[Expr]:
    operands = [lowering.current(lowering.read(node.left), node.left)]
    parts = []
    for op, right in zip(node.ops, node.comparators, strict=True):
        operands.append(lowering.current(lowering.read(right), right))
        value = lowering.comparison(op, operands[-2], operands[-1], node)
        parts.append(lowering.current(value, node))
    return parts


def _is_of_list(lowering: Lowering, statement: Any) -> bool:
    """Whether an array is made of a list that a loop fills."""
    value = getattr(statement, "value", None)
    if not isinstance(value, Apply) or value.op != "numpy.array":
        return False
    return any(map(lowering.facts.is_list, value.args))


def folded_into(
    value: Expr, statements: list[Any], renamed: dict[Any, Any]
) -> Expr | None:
    """The expression with the operations before it inside, each read once."""
    values = {}
    for stmt in statements:
        if not isinstance(stmt, Let) or stmt.var.origin is not Origin.TEMP:
            return None
        if stmt.var.id in renamed and renamed[stmt.var.id].origin is not Origin.TEMP:
            return None  # the user's name: it may be read later
        if stays(stmt.value):
            return None
        values[stmt.var] = stmt.value
    uses = Counter(reads(value))
    for stmt in statements:
        uses.update(reads(stmt.value))
    if any(uses[var] > 1 for var in values):
        return None
    for _ in range(len(statements)):
        value = substitute(value, values)
        if not any(var in values for var in reads(value)):
            break
    return value


def binary(
    lowering: Lowering, name: str, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    op = getattr(gast, name)()
    made = gast.BinOp(left=Held(left, node), op=op, right=Held(right, node))
    return lowering.read(gast.copy_location(made, node))

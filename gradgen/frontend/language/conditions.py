"""Conditions: one expression each, and lazy operators where values are asked for."""

from __future__ import annotations

import gast

from gradgen.frontend.calls.lasting import refuse_identity
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.control.branches import choose
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.zipping import truth_of
from gradgen.frontend.control.conditions import read_test
from gradgen.frontend.control.decisions import asks_kind, refused, unreached
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref
from gradgen.ir.operators import COMPARE
from gradgen.shapes.kinds import Kind

# operations that never fail on arguments that have passed so far
TOTAL = set(COMPARE.values()) | {
    "not", "and", "or", "is", "is_not", "len", "numpy.shape", "numpy.ndim", "numpy.size",
    "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.negative", "numpy.abs",
    "numpy.isnan", "numpy.isfinite", "numpy.all", "numpy.any", "numpy.max", "numpy.sum",
}  # fmt: skip


# what compares as a tuple does
SEQUENCE = {"namedtuple": "tuple"}


@answers(Lowering.as_truth)
def as_truth(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """What a test asks of a value: the value itself, if it is no instance."""
    return handle


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """One comparison of handles."""
    name = type(op).__name__
    if name in ("Is", "IsNot"):
        refuse_identity(lowering, left, right, node)
        if _are_unlike(lowering, left, right):
            return Const(name == "IsNot")
        word = "is" if name == "Is" else "is_not"
        same = Apply(word, (left, right), spelling="operator")
        known = known_truth(lowering, same)
        return lowering.bind(same, node) if known is None else Const(known)
    if name in ("In", "NotIn"):
        return lowering.membership(name == "In", left, right, node)
    if name in ("Eq", "NotEq") and _are_unlike(lowering, left, right):
        return Const(name == "NotEq")
    value = Apply(COMPARE[name], (left, right), spelling="operator")
    return lowering.bind(value, node)


def _are_unlike(lowering: Lowering, left: Expr, right: Expr) -> bool:
    """Whether one side is a container, and the other never equals one of its kind.

    {"p": w} == "a", (a, b) == None and [a, b] == (a, b) are False, whatever w, a and b are.
    """
    known = [contents(lowering, side) for side in (left, right)]
    kinds = [one and SEQUENCE.get(one.op, one.op) for one in known]
    if not any(kinds):
        return False
    if all(kinds):
        return kinds[0] != kinds[1]
    other = right if kinds[0] else left
    if not isinstance(other, Const):
        return "dict" in kinds and lowering.is_number(other)
    plain = (str, bytes, bool, type(None), int, float, complex)
    return type(other.value) in plain or other.value is Ellipsis


@answers(Lowering.membership)
def membership(
    lowering: Lowering, inside: bool, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """left in (a, b): a comparison with each; with all entries of an array at once.

    before:  if 1.0 in v:                 after:  if np.any(np.equal(v, 1.0)):
    """
    items = right.args if isinstance(right, Apply) else None
    is_number = (
        lowering.facts.rank(left) == 0 and lowering.facts.kind(left) != Kind.OTHER
    )
    if is_number and _is_array(lowering, right):
        equal = lowering.bind(Apply("numpy.equal", (right, left)), node)
        found: Expr = lowering.bind(Apply("numpy.any", (equal,)), node)
        if inside:
            return found
        return lowering.bind(Apply("numpy.logical_not", (found,)), node)
    if items is None or right.op not in ("tuple", "list") or not items:
        lowering.fail(
            "GG203",
            "the operator in is not supported here",
            node,
            "a comparison with each item: x == a or x == b",
        )
    op: gast.cmpop = gast.Eq() if inside else gast.NotEq()
    word = "or" if inside else "and"
    parts = [lowering.current(lowering.comparison(op, left, i, node)) for i in items]
    if len(parts) == 1:
        return parts[0]
    return lowering.emit(Apply(word, tuple(parts), (), "operator"), "found", node)


def _is_array(lowering: Lowering, value: Expr) -> bool:
    """Whether a value is an array: an argument may be a dict, or a list of lists."""
    if not isinstance(value, Ref) or contents(lowering, value) is not None:
        return False
    if lowering.is_dynamic(value) or lowering.is_number(value):
        return False
    rank = lowering.facts.rank(value)
    return bool(rank) or rank is None and value.var.origin is not Origin.PARAM


@handles(gast.Compare)
def compared(lowering: Lowering, node: gast.Compare) -> Expr:
    if len(node.ops) == 1:
        left, right = lowering.read(node.left), lowering.read(node.comparators[0])
        if REFUSED in (left, right):
            return REFUSED
        return lowering.comparison(node.ops[0], left, right, node)
    parts = gast.BoolOp(
        op=gast.And(),
        values=[
            gast.copy_location(
                gast.Compare(left=left, ops=[op], comparators=[right]), node
            )
            for left, op, right in zip(
                [node.left, *node.comparators[:-1]],
                node.ops,
                node.comparators,
                strict=True,
            )
        ],
    )
    if any(not _is_simple(middle) for middle in node.comparators[:-1]):
        return _chained(lowering, lowering.read(node.left), node, 0)
    return lowering.expression(gast.copy_location(parts, node))


def _chained(lowering: Lowering, left: Expr, node: gast.Compare, i: int) -> Expr:
    """a < b < c, where b is computed once, and c only if a < b."""
    right = lowering.read(node.comparators[i])
    if REFUSED in (left, right):
        return REFUSED
    value = lowering.comparison(node.ops[i], left, right, node)
    if i == len(node.ops) - 1 or value is REFUSED:
        return value
    now = lowering.current(value, node)
    truth = known_truth(lowering, now)
    if truth is not None:
        return _chained(lowering, right, node, i + 1) if truth else value
    return choose(
        lowering,
        now,
        lambda: _chained(lowering, right, node, i + 1),
        lambda: value,
        "both",
        lowering.note,
    )


@handles(gast.BoolOp)
def and_or(lowering: Lowering, node: gast.BoolOp) -> Expr:
    is_and = isinstance(node.op, gast.And)
    first = lowering.read(node.values[0])
    if first is REFUSED:
        for other in node.values[1:]:
            lowering.read(other)
        return REFUSED
    value = first
    for other in node.values[1:]:
        value = _lazy(lowering, is_and, value, other, node)
    return value


def _lazy(
    lowering: Lowering, is_and: bool, value: Expr, other: gast.AST, node: gast.AST
) -> Expr:
    asked = lowering.as_truth(value, node)
    now = lowering.current(asked, node)
    truth = truth_of(lowering, now)
    if truth is not None:
        return lowering.read(other) if truth is is_and else value
    array = lowering.facts.rank(now) not in (0, None)
    if array:
        word = "and" if is_and else "or"
        lowering.fail(
            "GG204",
            f"`{word}` has no meaning on arrays",
            node,
            f"a {'&' if is_and else '|'} b on masks",
        )
    body, state, mark = lowering.body, lowering.state.copy(), lowering.mark()
    lowering.body = []
    right = lowering.read(other)
    inner, lowering.body = lowering.body, body
    if right is REFUSED:
        return REFUSED
    plain = all(
        isinstance(s, Let) and isinstance(s.value, Apply) and s.value.op in TOTAL
        for s in inner
    )
    # what changes something is computed only where the operator asks for it
    plain = plain and lowering.state.is_as(state, mark) and asked is value
    flat = lowering.current(right, node)
    if plain and all(lowering.facts.kind(v) is Kind.BOOLEAN for v in (now, flat)):
        if known_truth(lowering, flat) is not is_and and isinstance(flat, Const):
            return flat  # x > 0 and False
        lowering.body.extend(inner)
        op = "and" if is_and else "or"
        return lowering.emit(Apply(op, (now, flat), (), "operator"), "both", node)
    lowering.state = state
    problems = len(lowering.problems)
    then = (lambda: lowering.read(other)), (lambda: value)
    chosen = choose(
        lowering, now, *(then if is_and else then[::-1]), "both", lowering.note
    )
    del lowering.problems[problems:]
    return chosen


@handles(gast.IfExp)
def conditional(lowering: Lowering, node: gast.IfExp) -> Expr:
    test = read_test(lowering, node.test)
    truth = known_truth(lowering, test)
    if truth is not None:
        return lowering.read(node.body if truth else node.orelse)
    if test is REFUSED:
        lowering.read(node.body), lowering.read(node.orelse)
        return REFUSED
    if lowering.facts.rank(test) not in (0, None):
        lowering.fail(
            "GG204",
            "a conditional expression has no meaning on arrays",
            node,
            "np.where(condition, a, b)",
        )
    if asks_kind(lowering, test):
        ways = refused(lowering, node.body), refused(lowering, node.orelse)
        if (ways[0] is None) is not (ways[1] is None):
            is_then = ways[0] is None
            problem = ways[1] if is_then else ways[0]
            wrong = Apply("not", (test,), (), "operator") if is_then else test
            raise_where(lowering, wrong, ValueError, unreached(problem))
            return lowering.read(node.body if is_then else node.orelse)
    target = lowering.note.lines[0].target if lowering.note.lines else ""
    return choose(
        lowering,
        test,
        lambda: lowering.read(node.body),
        lambda: lowering.read(node.orelse),
        target if target.isidentifier() else "chosen",
        lowering.note,
    )


@handles(gast.NamedExpr)
def named_expression(lowering: Lowering, node: gast.NamedExpr) -> Expr:
    mark = lowering.mark()
    value = lowering.read(node.value)
    return lowering.assign(node.target, value, mark)


def _is_simple(node: gast.AST) -> bool:
    """Whether reading an expression twice is no other than reading it once."""
    if isinstance(node, gast.Attribute):
        return _is_simple(node.value)
    if isinstance(node, gast.UnaryOp):
        return _is_simple(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))

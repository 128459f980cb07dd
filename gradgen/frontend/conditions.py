"""Conditions: one expression each, and lazy operators where values are asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from gradgen.frontend.lasting import refuse_identity
from gradgen.frontend.bindings import Bindings
from gradgen.frontend.decisions import unreached
from gradgen.frontend.expressions import Expressions
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin
from gradgen.ir.operators import COMPARE
from gradgen.ir.walk import reads, substitute
from gradgen.shapes.kinds import Kind

# operations that never fail on arguments that have passed so far
TOTAL = set(COMPARE.values()) | {
    "not", "and", "or", "is", "is_not", "len", "numpy.shape", "numpy.ndim", "numpy.size",
    "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.negative", "numpy.abs",
    "numpy.isnan", "numpy.isfinite", "numpy.all", "numpy.any", "numpy.max", "numpy.sum",
}  # fmt: skip


class Conditions(Expressions, Bindings):
    """Reads conditions."""

    def test(self, node: gast.AST) -> Expr:
        """A condition as one expression; what it needs besides stands before it."""
        try:
            return self._test(node)
        except Refusal:
            return REFUSED

    def _test(self, node: gast.AST) -> Expr:
        if isinstance(node, gast.BoolOp):
            op = "and" if isinstance(node.op, gast.And) else "or"
            kept, state = list(self.body), self.state.copy()
            first = self._test(node.values[0])
            rest = [self._tree(value) for value in node.values[1:]]
            known = [part for part in rest if part is not None]
            if len(known) == len(rest):
                return Apply(op, (first, *known), (), "operator")
            self.body, self.state = kept, state
            return self._value_tested(node)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return Apply("not", (self._test(node.operand),), (), "operator")
        body, state = self.body, self.state.copy()
        tree = self._tree(node)
        if tree is not None:
            return tree
        self.body, self.state = body, state
        return self._value_tested(node)

    def _tree(self, node: gast.AST) -> Expr | None:
        """A condition whose operations all fit into one expression, else None."""
        body, state, mark = self.body, self.state.copy(), self.mark()
        self.body = []
        try:
            value = self._test_value(node)
            inner = self.body
        finally:
            self.body = body
        folded = folded_into(value, inner, self.renamed)
        if not self.state.is_as(state, mark):
            folded = None  # something changes there, and only where it is computed
        if folded is None:
            self.state = state
        else:
            # what was read anew for the condition stands inside it
            self.state.renewed = state.renewed
        return folded

    def _test_value(self, node: gast.AST) -> Expr:
        if isinstance(node, (gast.BoolOp, gast.UnaryOp)):
            is_not = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
            if is_not or isinstance(node, gast.BoolOp):
                return self._test(node)
        if isinstance(node, gast.Compare) and len(node.ops) > 1:
            parts = self._links(node)
            return Apply("and", tuple(parts), (), "operator")
        return self._value_tested(node)

    def as_truth(self, handle: Expr, node: gast.AST) -> Expr:
        """What a test asks of a value: the value itself, if it is no instance."""
        return handle

    def _value_tested(self, node: gast.AST) -> Expr:
        return self.current(self.as_truth(self.read(node), node), node)

    def _links(self, node: gast.Compare) -> list[Expr]:
        operands = [self.current(self.read(node.left), node.left)]
        parts = []
        for op, right in zip(node.ops, node.comparators, strict=True):
            operands.append(self.current(self.read(right), right))
            value = self.comparison(op, operands[-2], operands[-1], node)
            parts.append(self.current(value, node))
        return parts

    def comparison(
        self, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
    ) -> Expr:
        """One comparison of handles."""
        name = type(op).__name__
        if name in ("Is", "IsNot"):
            refuse_identity(self, left, right, node)
            word = "is" if name == "Is" else "is_not"
            same = Apply(word, (left, right), spelling="operator")
            known = self.truth(same)
            return self.bind(same, node) if known is None else Const(known)
        if name in ("In", "NotIn"):
            return self.membership(name == "In", left, right, node)
        value = Apply(COMPARE[name], (left, right), spelling="operator")
        return self.bind(value, node)

    def membership(self, inside: bool, left: Expr, right: Expr, node: gast.AST) -> Expr:
        """left in (a, b): a comparison with each."""
        items = right.args if isinstance(right, Apply) else None
        if items is None or right.op not in ("tuple", "list") or not items:
            self.fail(
                "GG203",
                "the operator in is not supported here",
                node,
                "a comparison with each item: x == a or x == b",
            )
        op: gast.cmpop = gast.Eq() if inside else gast.NotEq()
        word = "or" if inside else "and"
        parts = [self.current(self.comparison(op, left, i, node)) for i in items]
        if len(parts) == 1:
            return parts[0]
        return self.emit(Apply(word, tuple(parts), (), "operator"), "found", node)

    # the same where a value is asked for

    def read_Compare(self, node: gast.Compare) -> Expr:
        if len(node.ops) == 1:
            left, right = self.read(node.left), self.read(node.comparators[0])
            if REFUSED in (left, right):
                return REFUSED
            return self.comparison(node.ops[0], left, right, node)
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
            return self._chained(self.read(node.left), node, 0)
        return self.read_BoolOp(gast.copy_location(parts, node))

    def _chained(self, left: Expr, node: gast.Compare, i: int) -> Expr:
        """a < b < c, where b is computed once, and c only if a < b."""
        right = self.read(node.comparators[i])
        if REFUSED in (left, right):
            return REFUSED
        value = self.comparison(node.ops[i], left, right, node)
        if i == len(node.ops) - 1 or value is REFUSED:
            return value
        now = self.current(value, node)
        truth = self.truth(now)
        if truth is not None:
            return self._chained(right, node, i + 1) if truth else value
        return self.choose(
            now,
            lambda: self._chained(right, node, i + 1),
            lambda: value,
            "both",
            self.note,
        )

    def read_BoolOp(self, node: gast.BoolOp) -> Expr:
        is_and = isinstance(node.op, gast.And)
        first = self.read(node.values[0])
        if first is REFUSED:
            for other in node.values[1:]:
                self.read(other)
            return REFUSED
        value = first
        for other in node.values[1:]:
            value = self._lazy(is_and, value, other, node)
        return value

    def _lazy(self, is_and: bool, value: Expr, other: gast.AST, node: gast.AST) -> Expr:
        asked = self.as_truth(value, node)
        now = self.current(asked, node)
        truth = self.truth(now)
        if truth is not None:
            return self.read(other) if truth is is_and else value
        array = self.facts.rank(now) not in (0, None)
        if array:
            word = "and" if is_and else "or"
            self.fail(
                "GG204",
                f"`{word}` has no meaning on arrays",
                node,
                f"a {'&' if is_and else '|'} b on masks",
            )
        body, state, mark = self.body, self.state.copy(), self.mark()
        self.body = []
        right = self.read(other)
        inner, self.body = self.body, body
        if right is REFUSED:
            return REFUSED
        plain = all(
            isinstance(s, Let) and isinstance(s.value, Apply) and s.value.op in TOTAL
            for s in inner
        )
        # what changes something is computed only where the operator asks for it
        plain = plain and self.state.is_as(state, mark) and asked is value
        flat = self.current(right, node)
        if plain and all(self.facts.kind(v) is Kind.BOOLEAN for v in (now, flat)):
            self.body.extend(inner)
            op = "and" if is_and else "or"
            return self.emit(Apply(op, (now, flat), (), "operator"), "both", node)
        self.state = state
        problems = len(self.problems)
        then = (lambda: self.read(other)), (lambda: value)
        chosen = self.choose(now, *(then if is_and else then[::-1]), "both", self.note)
        del self.problems[problems:]
        return chosen

    def read_IfExp(self, node: gast.IfExp) -> Expr:
        test = self.test(node.test)
        truth = self.truth(test)
        if truth is not None:
            return self.read(node.body if truth else node.orelse)
        if test is REFUSED:
            self.read(node.body), self.read(node.orelse)
            return REFUSED
        if self.facts.rank(test) not in (0, None):
            self.fail(
                "GG204",
                "a conditional expression has no meaning on arrays",
                node,
                "np.where(condition, a, b)",
            )
        if self.asks_kind(test):
            ways = self.refused(node.body), self.refused(node.orelse)
            if (ways[0] is None) is not (ways[1] is None):
                is_then = ways[0] is None
                problem = ways[1] if is_then else ways[0]
                wrong = Apply("not", (test,), (), "operator") if is_then else test
                self.raise_where(wrong, ValueError, unreached(problem))
                return self.read(node.body if is_then else node.orelse)
        target = self.note.lines[0].target if self.note.lines else ""
        return self.choose(
            test,
            lambda: self.read(node.body),
            lambda: self.read(node.orelse),
            target if target.isidentifier() else "chosen",
            self.note,
        )

    def read_NamedExpr(self, node: gast.NamedExpr) -> Expr:
        mark = self.mark()
        value = self.read(node.value)
        return self.assign(node.target, value, mark)


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


def _is_simple(node: gast.AST) -> bool:
    """Whether reading an expression twice is no other than reading it once."""
    if isinstance(node, gast.Attribute):
        return _is_simple(node.value)
    if isinstance(node, gast.UnaryOp):
        return _is_simple(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))

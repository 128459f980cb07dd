"""match statements, as the branches that they stand for."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.held import Held
from gradgen.frontend.vectorized import Vectorizing
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Const

# what a pattern asks (None: nothing), and the names that it binds
Pattern = tuple[gast.expr | None, list[gast.stmt]]


class Matching(Vectorizing):
    """Writes match statements."""

    def write_Match(self, node: gast.Match) -> None:
        """match x: case "a": ... as if x == "a": ..."""
        subject: Any = node.subject
        if not isinstance(subject, gast.Name):
            self.start(node, "", f"match {self.source.one_line(subject)}", subject)
            value = self.read(subject)
            if value is REFUSED:
                raise Refusal
            subject = Held(value, node.subject)
        self.block(self._chain(list(node.cases), subject, node))

    def _chain(self, cases: list[Any], subject: Any, node: gast.AST) -> list[gast.stmt]:
        """The first case that fits, else the others."""
        if not cases:
            return []
        case, *others = cases
        test, bound = self._pattern(case.pattern, subject, node)
        body = case.body
        if case.guard is not None:
            body = [self._branch(case.guard, body, self._chain(others, subject, node))]
        if test is None:
            return [*bound, *body]
        rest = self._chain(others, subject, node)
        return [self._branch(test, [*bound, *body], rest)]

    def _branch(self, test: Any, body: list[Any], orelse: list[Any]) -> gast.stmt:
        return gast.copy_location(gast.If(test=test, body=body, orelse=orelse), test)

    def _pattern(self, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
        """What a pattern asks of a value, and the names that it binds."""
        if isinstance(pattern, gast.MatchAs):
            inner: Pattern = (None, [])
            if pattern.pattern is not None:
                inner = self._pattern(pattern.pattern, subject, node)
            if pattern.name is None:
                return inner
            name = gast.Name(pattern.name, gast.Store(), None, None)
            made = gast.Assign(targets=[name], value=subject, type_comment=None)
            return inner[0], [*inner[1], self._placed(made, pattern)]
        if isinstance(pattern, gast.MatchValue):
            return self._compared(subject, gast.Eq(), pattern.value, pattern), []
        if isinstance(pattern, gast.MatchSingleton):
            value = Held(Const(pattern.value), pattern)
            return self._compared(subject, gast.Is(), value, pattern), []
        if isinstance(pattern, gast.MatchOr):
            found = [self._pattern(one, subject, node) for one in pattern.patterns]
            tests = [test for test, bound in found if test is not None and not bound]
            if len(tests) == len(found):
                made_or = gast.BoolOp(op=gast.Or(), values=tests)
                return self._placed(made_or, pattern), []
        if isinstance(pattern, gast.MatchSequence):
            return self._sequence(pattern, subject, node)
        if isinstance(pattern, gast.MatchClass):
            if not pattern.patterns and not pattern.kwd_patterns:
                called = gast.Call(
                    func=Held(Const(isinstance), pattern),
                    args=[subject, pattern.cls],
                    keywords=[],
                )
                return self._placed(called, pattern), []
        self.fail("GG262", "this pattern is not supported", node, "if and elif")

    def _sequence(self, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
        """case (a, b): a length, and a pattern for each item."""
        if any(isinstance(one, gast.MatchStar) for one in pattern.patterns):
            self.fail("GG262", "this pattern is not supported", node, "if and elif")
        counted = gast.Call(func=Held(Const(len), pattern), args=[subject], keywords=[])
        count = Held(Const(len(pattern.patterns)), pattern)
        tests = [self._compared(counted, gast.Eq(), count, pattern)]
        bound: list[gast.stmt] = []
        for i, one in enumerate(pattern.patterns):
            item = gast.Subscript(subject, Held(Const(i), pattern), gast.Load())
            test, names = self._pattern(one, self._placed(item, pattern), node)
            tests += [] if test is None else [test]
            bound += names
        if len(tests) == 1:
            return tests[0], bound
        return self._placed(gast.BoolOp(op=gast.And(), values=tests), pattern), bound

    def _compared(self, left: Any, op: Any, right: Any, like: gast.AST) -> gast.expr:
        return self._placed(
            gast.Compare(left=left, ops=[op], comparators=[right]), like
        )

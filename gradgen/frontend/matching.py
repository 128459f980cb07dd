"""match statements, as the branches that they stand for."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.source import parameters
from gradgen.frontend.held import Held
from gradgen.frontend.vectorized import Vectorizing
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Origin, Ref

# what a pattern asks (None: nothing), and the names that it binds
Pattern = tuple[Any, list[gast.stmt]]


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
        branch = self._branch(test, [*bound, *body], rest)
        branch.is_case = True  # the headings call it so: case "relu"
        return [branch]

    def _branch(self, test: Any, body: list[Any], orelse: list[Any]) -> gast.If:
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
            return self._fields_of(pattern, subject, node)
        if isinstance(pattern, gast.MatchMapping):
            return self._mapping(pattern, subject, node)
        self.fail("GG262", "this pattern is not supported", node, "if and elif")

    def _sequence(self, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
        """case (a, b): a length, and a pattern for each item."""
        if not self._is_sequence(subject, pattern):
            return Held(Const(False), pattern), []
        star = [isinstance(one, gast.MatchStar) for one in pattern.patterns]
        if any(star):
            return self._starred_pattern(pattern, star.index(True), subject, node)
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

    def _is_sequence(self, subject: Any, node: gast.AST) -> bool:
        """Whether a value is a sequence to a pattern, which no array is."""
        handle = subject.handle if isinstance(subject, Held) else self.read(subject)
        if handle is REFUSED:
            raise Refusal
        defined = None
        if isinstance(handle, Ref):
            defined = self.facts.definitions.get(handle.var)
        if isinstance(defined, Apply) and defined.op.rpartition(".")[2] == "shape":
            return True
        if isinstance(handle, Ref) and handle.var.origin is Origin.PARAM:
            default = self.root.source.defaults.get(handle.var.name)
            if isinstance(default, (tuple, list)):
                return True
        name = getattr(subject, "id", "")
        given = [one.id for one in parameters(self.root.source.node)]
        joined = isinstance(handle, Ref) and handle.var.origin is not Origin.PARAM
        if joined and defined is None and name in given:
            # the parameter or another value, by the way taken
            self.fail("GG262", "this pattern is not supported", node, "if and elif")
        known = self.types_of(handle)
        answers = {issubclass(one, (list, tuple)) for one in known or ()}
        if len(answers) != 1:
            self.fail("GG262", "this pattern is not supported", node, "if and elif")
        return answers.pop()

    def _starred_pattern(
        self, pattern: Any, star: int, subject: Any, node: gast.AST
    ) -> Pattern:
        """case [first, *rest]: at least so many items, of what is known."""
        handle = subject.handle if isinstance(subject, Held) else self.read(subject)
        known = self.contents(handle) if handle is not REFUSED else None
        if known is None or known.op not in ("tuple", "list"):
            self.fail("GG262", "this pattern is not supported", node, "if and elif")
        after = len(pattern.patterns) - star - 1
        if len(known.args) < star + after:
            return Held(Const(False), pattern), []
        end = len(known.args) - after
        items = [*known.args[:star], None, *known.args[end:]]
        tests, bound = [], list[gast.stmt]()
        for one, item in zip(pattern.patterns, items, strict=True):
            if item is None:
                if one.name is not None:
                    rest = self.new_list(Apply("list", known.args[star:end]))
                    bound.append(self._named(one.name, Held(rest, pattern), pattern))
                continue
            test, names = self._pattern(one, Held(item, pattern), node)
            tests += [] if test is None else [test]
            bound += names
        return self._all(tests, pattern), bound

    def _named(self, name: str, value: Any, like: gast.AST) -> gast.stmt:
        target = gast.Name(name, gast.Store(), None, None)
        made = gast.Assign(targets=[target], value=value, type_comment=None)
        return self._placed(made, like)

    def _all(self, tests: list[Any], like: gast.AST) -> Any:
        """All of some tests; None where there is none."""
        if len(tests) < 2:
            return tests[0] if tests else None
        return self._placed(gast.BoolOp(op=gast.And(), values=tests), like)

    def _mapping(self, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
        """case {"kind": "scale", "by": k, **rest}: of a dictionary that is known."""
        handle = subject.handle if isinstance(subject, Held) else self.read(subject)
        known = self.contents(handle) if handle is not REFUSED else None
        if known is None:
            self.fail("GG262", "this pattern is not supported", node, "if and elif")
        if known.op != "dict":
            return Held(Const(False), pattern), []
        items = {getattr(k, "value", None): v for k, v in self.pairs(known)}
        tests, bound = [], list[gast.stmt]()
        for key, one in zip(pattern.keys, pattern.patterns, strict=True):
            name = self.value_known(self.read(key))
            if name not in items:
                return Held(Const(False), pattern), []
            test, names = self._pattern(one, Held(items.pop(name), pattern), node)
            tests += [] if test is None else [test]
            bound += names
        if pattern.rest is not None:
            rest = Held(self.new_dict(items), pattern)
            bound.append(self._named(pattern.rest, rest, pattern))
        return self._all(tests, pattern), bound

    def _fields_of(self, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
        """case Point(x=0, y=b), case Point(a, b): a class, and a pattern a field."""
        cls = self.resolve(pattern.cls)
        names = list(pattern.kwd_attrs)
        if pattern.patterns:
            own = getattr(cls, "__match_args__", ())
            if len(own) < len(pattern.patterns):
                self.fail("GG262", "this pattern is not supported", node, "if and elif")
            names = [*own[: len(pattern.patterns)], *names]
        asked = gast.Call(Held(Const(isinstance), pattern), [subject, pattern.cls], [])
        first = self._placed(asked, pattern)
        if self.truth(self.read(first)) is False:
            return Held(Const(False), pattern), []
        tests: list[Any] = [first]
        bound: list[gast.stmt] = []
        every = [*pattern.patterns, *pattern.kwd_patterns]
        for name, one in zip(names, every, strict=True):
            field = gast.Attribute(subject, name, gast.Load())
            test, more = self._pattern(one, self._placed(field, pattern), node)
            tests += [] if test is None else [test]
            bound += more
        return self._all(tests, pattern), bound

    def _compared(self, left: Any, op: Any, right: Any, like: gast.AST) -> gast.expr:
        return self._placed(
            gast.Compare(left=left, ops=[op], comparators=[right]), like
        )

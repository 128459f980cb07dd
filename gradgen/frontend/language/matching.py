"""match statements, as the branches that they stand for."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.calls.kinds import types_of
from gradgen.frontend.control.branches import block
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.source import parameters
from gradgen.ir.nodes import Apply, Const, Origin, Ref

# what a pattern asks (None: nothing), and the names that it binds
Pattern = tuple[Any, list[gast.stmt]]


@handles(gast.Match)
def match(lowering: Lowering, node: gast.Match) -> None:
    """match x: case "a": ... as if x == "a": ..."""
    subject: Any = node.subject
    if not isinstance(subject, gast.Name):
        lowering.start(node, "", f"match {lowering.source.one_line(subject)}", subject)
        value = lowering.read(subject)
        if value is REFUSED:
            raise Refusal
        subject = Held(value, node.subject)
    block(lowering, _chain(lowering, list(node.cases), subject, node))


def _chain(
    lowering: Lowering, cases: list[Any], subject: Any, node: gast.AST
) -> list[gast.stmt]:
    """The first case that fits, else the others."""
    if not cases:
        return []
    case, *others = cases
    test, bound = _pattern(lowering, case.pattern, subject, node)
    body = case.body
    if case.guard is not None:
        body = [
            _branch(lowering, case.guard, body, _chain(lowering, others, subject, node))
        ]
    if test is None:
        return [*bound, *body]
    rest = _chain(lowering, others, subject, node)
    branch = _branch(lowering, test, [*bound, *body], rest)
    branch.is_case = True  # the headings call it so: case "relu"
    return [branch]


def _branch(
    lowering: Lowering, test: Any, body: list[Any], orelse: list[Any]
) -> gast.If:
    return gast.copy_location(gast.If(test=test, body=body, orelse=orelse), test)


def _pattern(lowering: Lowering, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
    """What a pattern asks of a value, and the names that it binds."""
    if isinstance(pattern, gast.MatchAs):
        inner: Pattern = (None, [])
        if pattern.pattern is not None:
            inner = _pattern(lowering, pattern.pattern, subject, node)
        if pattern.name is None:
            return inner
        name = gast.Name(pattern.name, gast.Store(), None, None)
        made = gast.Assign(targets=[name], value=subject, type_comment=None)
        return inner[0], [*inner[1], placed(lowering, made, pattern)]
    if isinstance(pattern, gast.MatchValue):
        return _compared(lowering, subject, gast.Eq(), pattern.value, pattern), []
    if isinstance(pattern, gast.MatchSingleton):
        value = Held(Const(pattern.value), pattern)
        return _compared(lowering, subject, gast.Is(), value, pattern), []
    if isinstance(pattern, gast.MatchOr):
        found = [_pattern(lowering, one, subject, node) for one in pattern.patterns]
        tests = [test for test, bound in found if test is not None and not bound]
        if len(tests) == len(found):
            made_or = gast.BoolOp(op=gast.Or(), values=tests)
            return placed(lowering, made_or, pattern), []
    if isinstance(pattern, gast.MatchSequence):
        return _sequence(lowering, pattern, subject, node)
    if isinstance(pattern, gast.MatchClass):
        if not pattern.patterns and not pattern.kwd_patterns:
            called = gast.Call(
                func=Held(Const(isinstance), pattern),
                args=[subject, pattern.cls],
                keywords=[],
            )
            return placed(lowering, called, pattern), []
        return _fields_of(lowering, pattern, subject, node)
    if isinstance(pattern, gast.MatchMapping):
        return _mapping(lowering, pattern, subject, node)
    lowering.fail("GG262", "this pattern is not supported", node, "if and elif")


def _sequence(
    lowering: Lowering, pattern: Any, subject: Any, node: gast.AST
) -> Pattern:
    """case (a, b): a length, and a pattern for each item."""
    if not _is_sequence(lowering, subject, pattern):
        return Held(Const(False), pattern), []
    star = [isinstance(one, gast.MatchStar) for one in pattern.patterns]
    if any(star):
        return _starred_pattern(lowering, pattern, star.index(True), subject, node)
    counted = gast.Call(func=Held(Const(len), pattern), args=[subject], keywords=[])
    count = Held(Const(len(pattern.patterns)), pattern)
    tests = [_compared(lowering, counted, gast.Eq(), count, pattern)]
    bound: list[gast.stmt] = []
    for i, one in enumerate(pattern.patterns):
        item = gast.Subscript(subject, Held(Const(i), pattern), gast.Load())
        test, names = _pattern(lowering, one, placed(lowering, item, pattern), node)
        tests += [] if test is None else [test]
        bound += names
    if len(tests) == 1:
        return tests[0], bound
    return placed(lowering, gast.BoolOp(op=gast.And(), values=tests), pattern), bound


def _is_sequence(lowering: Lowering, subject: Any, node: gast.AST) -> bool:
    """Whether a value is a sequence to a pattern, which no array is."""
    handle = subject.handle if isinstance(subject, Held) else lowering.read(subject)
    if handle is REFUSED:
        raise Refusal
    defined = None
    if isinstance(handle, Ref):
        defined = lowering.facts.definitions.get(handle.var)
    if isinstance(defined, Apply) and defined.op.rpartition(".")[2] == "shape":
        return True
    if isinstance(handle, Ref) and handle.var.origin is Origin.PARAM:
        default = lowering.root.source.defaults.get(handle.var.name)
        if isinstance(default, (tuple, list)):
            return True
    name = getattr(subject, "id", "")
    given = [one.id for one in parameters(lowering.root.source.node)]
    joined = isinstance(handle, Ref) and handle.var.origin is not Origin.PARAM
    if joined and defined is None and name in given:
        # the parameter or another value, by the way taken
        lowering.fail("GG262", "this pattern is not supported", node, "if and elif")
    known = types_of(lowering, handle)
    answers = {issubclass(one, (list, tuple)) for one in known or ()}
    if len(answers) != 1:
        lowering.fail("GG262", "this pattern is not supported", node, "if and elif")
    return answers.pop()


def _starred_pattern(
    lowering: Lowering, pattern: Any, star: int, subject: Any, node: gast.AST
) -> Pattern:
    """case [first, *rest]: at least so many items, of what is known."""
    handle = subject.handle if isinstance(subject, Held) else lowering.read(subject)
    known = contents(lowering, handle) if handle is not REFUSED else None
    if known is None or known.op not in ("tuple", "list"):
        lowering.fail("GG262", "this pattern is not supported", node, "if and elif")
    after = len(pattern.patterns) - star - 1
    if len(known.args) < star + after:
        return Held(Const(False), pattern), []
    end = len(known.args) - after
    items = [*known.args[:star], None, *known.args[end:]]
    tests, bound = [], list[gast.stmt]()
    for one, item in zip(pattern.patterns, items, strict=True):
        if item is None:
            if one.name is not None:
                rest = new_list(lowering, Apply("list", known.args[star:end]))
                bound.append(_named(lowering, one.name, Held(rest, pattern), pattern))
            continue
        test, names = _pattern(lowering, one, Held(item, pattern), node)
        tests += [] if test is None else [test]
        bound += names
    return _all(lowering, tests, pattern), bound


def _named(lowering: Lowering, name: str, value: Any, like: gast.AST) -> gast.stmt:
    target = gast.Name(name, gast.Store(), None, None)
    made = gast.Assign(targets=[target], value=value, type_comment=None)
    return placed(lowering, made, like)


def _all(lowering: Lowering, tests: list[Any], like: gast.AST) -> Any:
    """All of some tests; None where there is none."""
    if len(tests) < 2:
        return tests[0] if tests else None
    return placed(lowering, gast.BoolOp(op=gast.And(), values=tests), like)


def _mapping(lowering: Lowering, pattern: Any, subject: Any, node: gast.AST) -> Pattern:
    """case {"kind": "scale", "by": k, **rest}: of a dictionary that is known."""
    handle = subject.handle if isinstance(subject, Held) else lowering.read(subject)
    known = contents(lowering, handle) if handle is not REFUSED else None
    if known is None:
        lowering.fail("GG262", "this pattern is not supported", node, "if and elif")
    if known.op != "dict":
        return Held(Const(False), pattern), []
    items = {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
    tests, bound = [], list[gast.stmt]()
    for key, one in zip(pattern.keys, pattern.patterns, strict=True):
        name = value_known(lowering, lowering.read(key))
        if name not in items:
            return Held(Const(False), pattern), []
        test, names = _pattern(lowering, one, Held(items.pop(name), pattern), node)
        tests += [] if test is None else [test]
        bound += names
    if pattern.rest is not None:
        rest = Held(new_dict(lowering, items), pattern)
        bound.append(_named(lowering, pattern.rest, rest, pattern))
    return _all(lowering, tests, pattern), bound


def _fields_of(
    lowering: Lowering, pattern: Any, subject: Any, node: gast.AST
) -> Pattern:
    """case Point(x=0, y=b), case Point(a, b): a class, and a pattern a field."""
    cls = lowering.resolve(pattern.cls)
    names = list(pattern.kwd_attrs)
    if pattern.patterns:
        own = getattr(cls, "__match_args__", ())
        if len(own) < len(pattern.patterns):
            lowering.fail("GG262", "this pattern is not supported", node, "if and elif")
        names = [*own[: len(pattern.patterns)], *names]
    asked = gast.Call(Held(Const(isinstance), pattern), [subject, pattern.cls], [])
    first = placed(lowering, asked, pattern)
    if known_truth(lowering, lowering.read(first)) is False:
        return Held(Const(False), pattern), []
    tests: list[Any] = [first]
    bound: list[gast.stmt] = []
    every = [*pattern.patterns, *pattern.kwd_patterns]
    for name, one in zip(names, every, strict=True):
        field = gast.Attribute(subject, name, gast.Load())
        test, more = _pattern(lowering, one, placed(lowering, field, pattern), node)
        tests += [] if test is None else [test]
        bound += more
    return _all(lowering, tests, pattern), bound


def _compared(
    lowering: Lowering, left: Any, op: Any, right: Any, like: gast.AST
) -> gast.expr:
    return placed(
        lowering, gast.Compare(left=left, ops=[op], comparators=[right]), like
    )

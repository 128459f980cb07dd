"""A derivative rule as data, and what follows from its lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import COMPARE
from gradgen.ir.walk import children, subexpressions
from gradgen.rules.deciding import is_call

ALL, _FLAGS = -1, (Const(True), Const(False))  # ALL: for the number of one result


@dataclass(frozen=True)
class RuleParam:
    """A parameter of the function: numpy's name and default."""

    var: Var
    default: Expr | None = None
    star: bool = False
    keyword_only: bool = False


@dataclass(frozen=True)
class Local:
    """A value that several lines of the rule share."""

    var: Var
    value: Expr


@dataclass(frozen=True)
class Adjoint:
    """`d[of] = value`, or `d[of][key] += value`."""

    of: Expr
    value: Expr
    key: Expr | None = None


@dataclass(frozen=True)
class If:
    """Lines chosen while emitting."""

    test: Expr
    then: tuple[Any, ...]
    orelse: tuple[Any, ...]


@dataclass(frozen=True)
class Each:
    """Lines repeated for each position of a sequence argument."""

    index: Var
    over: Expr
    body: tuple[Any, ...]


@dataclass(frozen=True)
class Rule:
    """One rule: `kind` is elementwise, linear, general, constant, boolean,
    integer, creation or refused; `shape` is the shape line, None for elementwise.
    `linear` are the decorator's words: the arguments that the function is linear
    in, or why it is refused and what to write instead.

    A function with several results has a shape line for each in `items`; where
    `alone` holds, it has one result for all that. `tangents` are the names for
    t[x] in a line t[z] = ..., by parameter; that line is an Adjoint of the result.

    `field` says what the rule does with complex arguments: "holomorphic", "to_real",
    "to_complex", "from_real" (arguments are), or "" for a rule that is not for them.
    """

    op: str
    kind: str
    linear: tuple[str, ...]
    result: Var
    cotangent: Var
    params: tuple[RuleParam, ...]
    shape: Expr | None
    body: tuple[Any, ...]
    file: str
    line: int
    convention: str = ""
    items: tuple[Expr, ...] = ()
    alone: Expr | None = None
    tangents: dict[Var, Var] = dataclasses.field(default_factory=dict)
    field: str = ""

    @property
    def forward(self) -> bool:
        """Whether it has a forward form; some forms of a call may have none."""
        return self.kind in ("elementwise", "linear") or bool(self.tangents)

    @property
    def called(self) -> str:
        """How the function may be called: norm(x, ord=, axis=, keepdims=)."""
        parts = []
        for param in self.params:
            name = param.var.name.rstrip("_")
            star = "*" if param.star else ""
            parts.append(f"{star}{name}" + ("=" if param.default is not None else ""))
        return f"{self.op.removeprefix('numpy.')}({', '.join(parts)})"

    @cached_property
    def by_name(self) -> dict[str, Var]:
        """The parameters by numpy's names: shape_ is a word of the rules without _."""
        return {param.var.name.rstrip("_"): param.var for param in self.params}

    @cached_property
    def flags(self) -> frozenset[Var]:
        """The parameters with the default True or False."""
        return frozenset(p.var for p in self.params if p.default in _FLAGS)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The parameters whose values its conditions ask for: ord == 2, lower."""
        every = {param.var.name for param in self.params}
        found = (name for test in _tests(self.body) for name in _operands(test))
        return frozenset(every.intersection(found))

    @cached_property
    def differentiable(self) -> frozenset[str]:
        """The parameters that some line of the rule gives an adjoint, or refuses one."""
        return self._named(self._adjoints())

    @cached_property
    def given(self) -> frozenset[str]:
        """The parameters that some line gives an adjoint."""
        lines = self._adjoints()
        return self._named(
            line for line in lines if not is_call(line.value, "refuse", "never")
        )

    def _named(self, lines: Iterable[Adjoint]) -> frozenset[str]:
        targets = (node for line in lines for node in subexpressions(line.of))
        found = {node.var.name for node in targets if isinstance(node, Ref)}
        return frozenset(found & {param.var.name for param in self.params})

    @cached_property
    def taken_apart(self) -> frozenset[Var]:
        """The parameters whose entries get adjoints of their own: d[x[0]] = ..."""
        return frozenset(
            node.args[0].var
            for line in self._adjoints()
            for node in subexpressions(line.of)
            if is_call(node, "getitem") and isinstance(node.args[0], Ref)
        )

    @cached_property
    def calls(self) -> frozenset[str]:
        """The operations that its d lines call, but for those that are compared."""
        lines = flattened(self.body)
        values = [line.value for line in lines if isinstance(line, Local)]
        values += [line.value for line in self._adjoints()]
        return frozenset(op for value in values for op in _flowing_through(value))

    def _adjoints(self) -> Iterator[Adjoint]:
        """The d lines."""
        for line in flattened(self.body):
            if isinstance(line, Adjoint) and self.result_of(line) is None:
                yield line

    def result_of(self, line: Adjoint) -> int | None:
        """Which result a line t[z[1]] = ... is about: ALL for t[z], None for d lines."""
        if line.of == Ref(self.result):
            return ALL
        one = is_call(line.of, "getitem") and line.of.args[0] == Ref(self.result)
        return line.of.args[1].value if one else None


def _flowing_through(value: Expr) -> Iterator[str]:
    """The operations of an expression through which a derivative flows."""
    if isinstance(value, Apply) and value.op not in COMPARE.values():
        yield value.op
        for child in children(value):
            yield from _flowing_through(child)


def flattened(lines: tuple[Any, ...]) -> Iterator[Local | Adjoint]:
    """The lines of a rule, those under if and for among them."""
    for line in lines:
        if isinstance(line, If):
            yield from flattened(line.then + line.orelse)
        elif isinstance(line, Each):
            yield from flattened(line.body)
        else:
            yield line


def _tests(lines: tuple[Any, ...]) -> Iterator[Expr]:
    """The conditions of a rule's lines."""
    for line in lines:
        if isinstance(line, If):
            yield line.test
            yield from _tests(line.then + line.orelse)
        elif isinstance(line, Each):
            yield from _tests(line.body)


def _operands(test: Expr) -> Iterator[str]:
    """The names that a condition is about: of `not lower`, but not of rank(x) == 2."""
    if isinstance(test, Ref):
        yield test.var.name
    elif isinstance(test, Apply) and test.op in (*_WORDS, *COMPARE.values()):
        for part in test.args:
            yield from _operands(part)


_WORDS = ("not", "and", "or", "is", "is_not")

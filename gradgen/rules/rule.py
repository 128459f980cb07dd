"""A derivative rule as data, and what one call of the function makes of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import COMPARE
from gradgen.ir.walk import children, reads, rewrite, subexpressions, substitute
from gradgen.rules.deciding import decide, is_call
from gradgen.rules.given import flag, in_words
from gradgen.rules.words import WORDS
from gradgen.rules.written_out import spread

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
    "to_complex", or "" for a rule that is not for them.
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


@dataclass(frozen=True)
class Contribution:
    """What one call gives to the adjoint of one argument."""

    to: Var
    value: Expr
    key: Expr | None = None


def bind(rule: Rule, call: Apply) -> dict[Var, Expr]:
    """The call's arguments by parameter, with numpy's defaults, found once.

    Raises TypeError, with a sentence, when the call does not fit.
    """
    known: tuple[Rule, dict[Var, Expr]] | None = call.__dict__.get("_bound")
    if known is None or known[0] is not rule:
        known = call.__dict__["_bound"] = rule, _bound(rule, call)
    return known[1]


def _bound(rule: Rule, call: Apply) -> dict[Var, Expr]:
    bound: dict[Var, Expr] = {}
    name = rule.op.removeprefix("numpy.")
    positional = list(call.args)
    for param in rule.params:
        if param.star:
            bound[param.var] = Apply("tuple", tuple(positional))
            positional = []
        elif positional and not param.keyword_only:
            bound[param.var] = positional.pop(0)
    if positional:
        most = sum(not param.keyword_only for param in rule.params)
        raise TypeError(f"{name} takes {most} arguments here, not {len(call.args)}")
    by_name = rule.by_name
    for keyword, value in call.kwargs:
        if keyword not in by_name:
            raise TypeError(f"{name} has no rule for the argument {keyword}=")
        if by_name[keyword] in bound:
            raise TypeError(f"{name} got two values for {keyword}")
        bound[by_name[keyword]] = value
    for param in rule.params:
        if param.var not in bound:
            if param.default is None:
                raise TypeError(f"{name} needs the argument {param.var.name}")
            bound[param.var] = param.default
        if param.var in rule.flags:
            bound[param.var] = flag(bound[param.var], param.var.name, name)
    return bound


@dataclass(frozen=True)
class Call:
    """The place where a rule is used: result, arguments, and what is known."""

    result: Expr
    bound: Mapping[Var, Expr]
    cotangent: Expr
    rank: Callable[[Expr], int | None]
    fresh: Callable[[str], Var]
    # the arguments whose gradient is asked for: a rule may refuse the others
    wanted: Callable[[Var], bool] = lambda var: True
    is_complex: Callable[[Expr], bool] = lambda expr: False

    def settled(self, test: Expr, meant: Mapping[Var, Expr]) -> Expr:
        """A condition with is_complex(x) decided; `meant` is what locals stand for."""

        def change(node: Expr) -> Expr:
            if not is_call(node, "is_complex"):
                return node
            return Const(self.is_complex(substitute(node.args[0], meant)))

        return rewrite(test, change)


def instantiate(
    rule: Rule, call: Call
) -> tuple[list[tuple[Var, Expr]], list[Contribution]]:
    """The shared values and the contributions of one call.

    Raises GradgenError when the rule refuses, or when a choice hangs on an
    argument that is not known while emitting.
    """
    values: dict[Var, Expr] = dict(call.bound)
    values[rule.result] = call.result
    values[rule.cotangent] = _in_full(rule, call)
    forward = set(rule.tangents.values())
    shared: list[tuple[Var, Expr]] = []
    contributions: list[Contribution] = []

    meant: dict[Var, Expr] = {}

    def rank(expr: Expr) -> int | None:
        # What is known is known of the primal's variables.
        return call.rank(substitute(expr, meant))

    def fill(expr: Expr) -> Expr:
        return expand(substitute(expr, values), rank)

    def run(lines: tuple[Any, ...]) -> None:
        for line in lines:
            if isinstance(line, Local):
                if any(var in forward for var in reads(line.value)):
                    forward.add(line.var)  # for the t[z] line alone
                    continue
                var = replace(call.fresh(line.var.name), origin=line.var.origin)
                shared.append((var, fill(line.value)))
                meant[var] = substitute(shared[-1][1], meant)
                values[line.var] = Ref(var)
            elif isinstance(line, If):
                test = call.settled(fill(line.test), meant)
                chosen = decide(test, rank, rule)
                run(line.then if chosen else line.orelse)
            elif isinstance(line, Each):
                for i in range(len(fill(line.over).args)):
                    values[line.index] = Const(i)
                    run(line.body)
            elif isinstance(line, Adjoint) and rule.result_of(line) is None:
                target = fill(line.of)
                if _has_variables(target) and not isinstance(target, Ref):
                    contributions.extend(
                        Contribution(var, value, None)
                        for var, value in spread(target, fill(line.value), rule.op)
                        if call.wanted(var)
                    )
                if isinstance(target, Ref) and call.wanted(target.var):
                    key = None if line.key is None else fill(line.key)
                    value = fill(line.value)
                    if rule.kind == "elementwise":
                        value = Apply("unbroadcast", (value, call.result, target))
                    contributions.append(Contribution(target.var, value, key))

    run(rule.body)
    return shared, contributions


def _in_full(rule: Rule, call: Call) -> Expr:
    """d[z] as a rule sees it: a true array, except in elementwise rules.

    Of several results each has its own; 0 for one that nothing reads.
    """
    if rule.kind == "elementwise":
        return call.cotangent
    if not is_call(call.result, "tuple"):
        return Apply("real", (call.cotangent, call.result))
    pairs = zip(call.cotangent.args, call.result.args, strict=True)
    parts = (g if g == Const(0) else Apply("real", (g, z)) for g, z in pairs)
    return Apply("tuple", tuple(parts))


def expand(expr: Expr, rank: Callable[[Expr], int | None]) -> Expr:
    """The expression with the words decided while emitting replaced.

    A lazily small adjoint may stay small under unreduce, and is made real
    everywhere else in a rule that is not elementwise.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply):
            return node
        if node.op == "nonzero":
            return node.args[0]
        if node.op == "unreduce" and is_call(node.args[0], "real"):
            return replace(node, args=(node.args[0].args[0], *node.args[1:]))
        if node.op == "getitem" and is_call(node.args[0], "tuple", "list"):
            index = node.args[1]
            if isinstance(index, Const) and isinstance(index.value, int):
                return node.args[0].args[index.value]
        if node.op in ("numpy.subtract", "numpy.add") and all(map(_number, node.args)):
            left, right = (arg.value for arg in node.args)
            return Const(left - right if node.op == "numpy.subtract" else left + right)
        if node.op == "numpy.log" and _number(node.args[0]) and node.args[0].value > 0:
            # A Python number: np.log(2) would make float64 of float32.
            return Const(math.log(node.args[0].value))
        if node.op == "numpy.power" and node.args[1] in (Const(1), Const(1.0)):
            return node.args[0]
        if any(value in _LEFT_OUT for _, value in node.kwargs):
            node = _without_defaults(node)
        if node.op in WORDS:
            return in_words(node, rank)
        return node

    return rewrite(expr, change)


NOTHING = Apply("nothing")  # the word beyond's, for an argument that is not written
_LEFT_OUT = (Const(None), Const(False), NOTHING)


def _without_defaults(node: Apply) -> Apply:
    """The call without axis=None, keepdims=False where these are the defaults."""
    from gradgen.rules.load import operations  # load builds the rules of this file

    rule = operations().get(node.op)
    defaults = {p.var.name.rstrip("_"): p.default for p in rule.params} if rule else {}
    kept = [
        (name, value)
        for name, value in node.kwargs
        if value not in _LEFT_OUT or value not in (NOTHING, defaults.get(name))
    ]
    return replace(node, kwargs=tuple(kept))


def _has_variables(expr: Expr) -> bool:
    return any(isinstance(node, Ref) for node in subexpressions(expr))


def _number(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, (int, float))

"""What one call of a function makes of its rule: arguments bound, lines written."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import LIKES, MATRIX_PRODUCTS, MEASURES
from gradgen.ir.walk import reads, rewrite, subexpressions, substitute
from gradgen.rules.deciding import decide, is_call
from gradgen.rules.given import flag, in_words
from gradgen.rules.lifted import as_floats, lifted
from gradgen.rules.load import operations
from gradgen.rules.refusals import refusal
from gradgen.rules.rule import Adjoint, Each, If, Local, Rule
from gradgen.rules.words import WORDS
from gradgen.rules.written_out import spread


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


def in_place(rule: Rule, call: Apply) -> Apply:
    """The call with the operands in their places that were given by keyword.

    before:  np.pad(array=x, pad_width=1), np.dot(x, b=y)
    after:   np.pad(x, pad_width=1), np.dot(x, y)
    """
    args, given = list(call.args), dict(call.kwargs)
    for param in rule.params[len(args) :]:
        words = [word for word in given if rule.by_name.get(word) is param.var]
        first = not args or call.op in MATRIX_PRODUCTS
        operand = param.var.name in rule.differentiable or call.op in OF_ARRAYS
        if not words or not first or not operand:
            break
        args.append(given.pop(words[0]))
    if len(args) == len(call.args):
        return call
    return replace(call, args=tuple(args), kwargs=tuple(given.items()))


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
                raise TypeError(
                    f"{name} needs the argument {param.var.name.rstrip('_')}"
                )
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
    # whether an argument is known to hold bools
    is_mask: Callable[[Expr], bool] = lambda expr: False
    # whether the last two axes of an argument are known to be equally long
    is_square: Callable[[Expr], bool] = lambda expr: False
    # whether an argument holds integers or bools, and whether nothing tells of it
    whole: tuple[Callable[[Expr], bool], ...] = ()
    # the arguments of the function that are None where they are left out
    optional: Container[Var] = ()

    def options(self, rule: Rule) -> list[Expr]:
        """What may be None: for parameters without a gradient, and left out."""
        named = rule.differentiable
        return [
            arg
            for var, arg in self.bound.items()
            if var.name not in named
            or isinstance(arg, Ref)
            and arg.var in self.optional
        ]

    def floating(self, rule: Rule, expr: Expr) -> Expr:
        """A line of a rule that makes no arithmetic on integers, where that may wrap.

        An elementwise rule makes none at all, others where they say floats(x).
        """
        expr = as_floats(expr, *self.whole[:1])
        if rule.kind != "elementwise" or not self.whole:
            return expr
        return lifted(expr, *self.whole)

    def settled(self, test: Expr, meant: Mapping[Var, Expr]) -> Expr:
        """A condition with is_complex(x), is_square(x) and what is asked of masks decided.

        `meant` is what locals stand for.
        """

        def change(node: Expr) -> Expr:
            if is_call(node, "is_complex"):
                return Const(self.is_complex(substitute(node.args[0], meant)))
            if is_call(node, "is_mask"):
                return Const(self.is_mask(substitute(node.args[0], meant)))
            if is_call(node, "may_be_mask"):
                arg = substitute(node.args[0], meant)
                untold = any(holds(arg) for holds in self.whole[1:])
                return Const(self.is_mask(arg) or untold)
            if is_call(node, "is_square"):
                return Const(self.is_square(substitute(node.args[0], meant)))
            return node

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
        found = expand(substitute(expr, values), rank, call.optional, meant)
        return call.floating(rule, found)

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
                chosen = decide(test, rank, rule, call.options(rule))
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
    if not is_call(call.cotangent, "tuple"):
        refusal(
            f"{rule.op.removeprefix('numpy.')} with results that are no single arrays",
            "each result by its name, with its shapes told",
        )
    pairs = zip(call.cotangent.args, call.result.args, strict=True)
    parts = (g if g == Const(0) else Apply("real", (g, z)) for g, z in pairs)
    return Apply("tuple", tuple(parts))


def expand(
    expr: Expr,
    rank: Callable[[Expr], int | None],
    optional: Container[Var] = (),
    meant: Mapping[Var, Expr] = MappingProxyType({}),
) -> Expr:
    """The expression with the words decided while emitting replaced.

    `optional` are the arguments of the function that are None where they are left out,
    `meant` the values of the rule's locals.

    A lazily small adjoint may stay small under unreduce, and is made real
    everywhere else in a rule that is not elementwise.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply):
            return node
        if node.op == "nonzero":
            return node.args[0]
        if node.op == "unreduce":
            return replace(node, args=(_small(node.args[0], meant), *node.args[1:]))
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
            return in_words(node, rank, optional)
        return node

    return rewrite(expr, change)


def _small(expr: Expr, meant: Mapping[Var, Expr]) -> Expr:
    """An adjoint that is not made real, also times or over what is surely a number."""
    if is_call(expr, "real"):
        return expr.args[0]
    if is_call(expr, "numpy.divide", "numpy.multiply"):
        left, right = expr.args
        if _is_counted(right, meant):
            return replace(expr, args=(_small(left, meant), right))
        if _is_counted(left, meant) and is_call(expr, "numpy.multiply"):
            return replace(expr, args=(left, _small(right, meant)))
    return expr


def _is_counted(expr: Expr, meant: Mapping[Var, Expr]) -> bool:
    """Whether it is a number, or computed of counts of entries and numbers."""
    if isinstance(expr, Ref):
        return expr.var in meant and _is_counted(meant[expr.var], {})
    if is_call(expr, "numpy.subtract"):
        return all(_is_counted(arg, meant) for arg in expr.args)
    return is_call(expr, "count") or _number(expr)


# what takes an array of which it reads no entries
OF_ARRAYS = LIKES | MEASURES
NOTHING = Apply("nothing")  # the word beyond's, for an argument that is not written
_LEFT_OUT = (Const(None), Const(False), NOTHING)


def _without_defaults(node: Apply) -> Apply:
    """The call without axis=None, keepdims=False where these are the defaults."""
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

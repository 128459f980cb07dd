"""The forward rule of one call: what becomes of the tangents of its arguments.

An elementwise rule's is the sum of its d lines with d[z] replaced by the tangent;
the Jacobian is diagonal. A linear rule's is the function itself, applied to each
tangent. A general rule has a line t[z] = ..., or t[z[0]] = ... for each result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, TypeGuard

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import add, call
from gradgen.ir.walk import reads, substitute
from gradgen.rules.deciding import decide, is_call
from gradgen.rules.binding import NOTHING, Call, expand
from gradgen.rules.rule import ALL, Adjoint, If, Local, Rule, flattened


def push(
    rule: Rule, operation: Apply, place: Call, tangents: Mapping[Var, Expr]
) -> tuple[list[tuple[Var, Expr]], Expr]:
    """The shared values and the tangent of the result.

    `tangents` are those of the variables that the call reads and that have one.
    The tangent of several results is a tuple of theirs, NOTHING for one that the
    rule has no line for. Raises GradgenError when the rule has no forward form.
    """
    if rule.kind == "elementwise" or rule.tangents:
        return _Pushing(rule, place, tangents).result()
    if rule.kind == "linear":
        _refuse_what_never_is(rule.body, rule, place)
    if rule.kind == "linear" and _is_linear_in_all(rule, place, tangents):
        return [], _linear(rule, operation, tangents)
    name = rule.op.removeprefix("numpy.").removeprefix("helper.")
    raise GradgenError("GG306", f"no forward rule for {name}", advice="reverse mode")


def _refuse_what_never_is(lines: tuple[Any, ...], rule: Rule, place: Call) -> None:
    """Raises where a linear rule's function is not linear in this form: never(...)."""
    for line in lines:
        if isinstance(line, If) and any(map(_is_never, flattened((line,)))):
            test = expand(substitute(line.test, place.bound), place.rank)
            settled = place.settled(test, {})
            chosen = decide(settled, place.rank, rule, place.options(rule))
            _refuse_what_never_is(line.then if chosen else line.orelse, rule, place)
        elif _is_never(line):
            expand(substitute(line.value, place.bound), place.rank)


def _is_never(line: object) -> TypeGuard[Adjoint]:
    return isinstance(line, Adjoint) and is_call(line.value, "never")


def _is_linear_in_all(rule: Rule, place: Call, tangents: Mapping[Var, Expr]) -> bool:
    """Whether the function is linear in each argument that has a tangent."""
    names = rule.differentiable.difference(rule.linear)
    return not any(
        param.name in names and _depends(bound, tangents)
        for param, bound in place.bound.items()
    )


class _Pushing:
    """The lines of a rule, read forwards."""

    def __init__(self, rule: Rule, place: Call, tangents: Mapping[Var, Expr]) -> None:
        self.rule, self.place, self.tangents = rule, place, tangents
        self.values: dict[Var, Expr] = {**place.bound, rule.result: place.result}
        # locals that hold d[z], to be filled for each tangent apart
        self.linear: dict[Var, Expr] = {rule.cotangent: Ref(rule.cotangent)}
        self.shared: list[tuple[Var, Expr]] = []
        # what the locals stand for
        self.meant: dict[Var, Expr] = {}
        # the terms of each result's tangent
        self.terms: dict[int, list[Expr]] = {}
        # the rule's names for tangents, and the arguments, that lines have used
        self.seen: set[Var] = set()

    def result(self) -> tuple[list[tuple[Var, Expr]], Expr]:
        """The shared values, and the sum of the terms, for several results of each."""
        for param, tangent in self.rule.tangents.items():
            self.values[tangent] = _in_full(self.place.bound[param], self.tangents)
        self._run(self.rule.body)
        if self._left_out():
            name = self.rule.op.removeprefix("numpy.")
            raise GradgenError(
                "GG306",
                f"no forward rule for this form of {name}",
                advice="reverse mode",
            )
        if ALL in self.terms:
            return self.shared, reduce(add, self.terms[ALL])
        totals = (
            reduce(add, self.terms[i]) if i in self.terms else NOTHING
            for i in range(len(self.place.result.args))
        )
        return self.shared, Apply("tuple", tuple(totals))

    def _left_out(self) -> bool:
        """Whether an argument with a tangent has no part in the result's."""
        if not self.terms:
            return True
        if not self.rule.tangents:
            return not self.seen.issuperset(self.tangents)
        return any(
            self.rule.tangents.get(param) not in self.seen
            for param, bound in self.place.bound.items()
            if param.name in self.rule.differentiable and _depends(bound, self.tangents)
        )

    def _fill(self, expr: Expr, tangent: Expr | None = None) -> Expr:
        values = self.values
        if tangent is not None:
            values = {**values, self.rule.cotangent: tangent}
        found = expand(substitute(expr, values), self._rank)
        return self.place.floating(self.rule, found)

    def _rank(self, expr: Expr) -> int | None:
        # What is known is known of the primal's variables.
        return self.place.rank(substitute(expr, self.meant))

    def _run(self, lines: tuple[Any, ...]) -> None:
        for line in lines:
            if isinstance(line, (Local, Adjoint)):
                self.seen.update(reads(line.value))
            if isinstance(line, Local):
                value = substitute(line.value, self.linear)
                if self.rule.cotangent in reads(value):
                    self.linear[line.var] = value
                else:
                    name, origin = line.var.name, line.var.origin
                    var = replace(self.place.fresh(name), origin=origin)
                    self.shared.append((var, self._fill(value)))
                    self.meant[var] = substitute(self.shared[-1][1], self.meant)
                    self.values[line.var] = Ref(var)
            elif isinstance(line, If):
                test = self.place.settled(self._fill(line.test), self.meant)
                options = self.place.options(self.rule)
                chosen = decide(test, self._rank, self.rule, options)
                self._run(line.then if chosen else line.orelse)
            elif isinstance(line, Adjoint):
                self._adjoint(line)

    def _adjoint(self, line: Adjoint) -> None:
        if self.rule.tangents:
            result = self.rule.result_of(line)
            if result is not None:
                self.terms.setdefault(result, []).append(self._fill(line.value))
            return
        target = self._fill(line.of)
        if isinstance(target, Ref) and target.var in self.tangents:
            self.seen.add(target.var)
            value = substitute(line.value, self.linear)
            term = self._fill(value, self.tangents[target.var])
            self.terms.setdefault(ALL, []).append(term)


def _linear(rule: Rule, operation: Apply, tangents: Mapping[Var, Expr]) -> Expr:
    """The operation on each tangent in turn; on all at once for a list of arrays."""
    total: Expr | None = None
    for term in _terms(rule, operation, tangents):
        total = term if total is None else add(total, term)
    return Const(0) if total is None else total


def _terms(
    rule: Rule, operation: Apply, tangents: Mapping[Var, Expr]
) -> Iterator[Apply]:
    names = [param.var.name for param in rule.params]
    star = next((i for i, p in enumerate(rule.params) if p.star), len(names))
    for i, arg in enumerate(operation.args):
        if names[min(i, star)] in rule.linear and _depends(arg, tangents):
            args = list(operation.args)
            args[i] = _in_full(arg, tangents)
            yield replace(operation, args=tuple(args))
    for k, (name, value) in enumerate(operation.kwargs):
        if name in rule.linear and _depends(value, tangents):
            kwargs = list(operation.kwargs)
            kwargs[k] = (name, _in_full(value, tangents))
            yield replace(operation, kwargs=tuple(kwargs))


def _depends(expr: Expr, tangents: Mapping[Var, Expr]) -> bool:
    return any(var in tangents for var in reads(expr))


def _in_full(expr: Expr, tangents: Mapping[Var, Expr]) -> Expr:
    """The tangent of an argument as a true array; zeros where it has none."""
    if isinstance(expr, Apply) and expr.op in ("tuple", "list"):
        return replace(expr, args=tuple(_in_full(a, tangents) for a in expr.args))
    if isinstance(expr, Ref) and expr.var in tangents:
        return Apply("real", (tangents[expr.var], expr))
    if isinstance(expr, Const):
        return Const(0)
    return call("numpy.zeros_like", expr)

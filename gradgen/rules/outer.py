"""The rule of a ufunc's outer method, from the elementwise rule of the ufunc.

z[i, j] = f(x1[i], x2[j]) is f of x1 with as many axes behind it as x2 has, and x2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Supply, Var
from gradgen.ir.walk import reads, substitute
from gradgen.rules.rule import Adjoint, If, Local, Rule

ELEMENTWISE = ("elementwise", "constant", "boolean")
# Apart from the numbers of any function and of any rule file.
SUPPLY = Supply(1 << 50)


def outer_of(rule: Rule, op: str) -> Rule | None:
    """The rule of np.f.outer, or None where f is no ufunc of two arguments."""
    if rule.kind not in ELEMENTWISE or len(rule.params) != 2:
        return None
    first, second = (param.var for param in rule.params)
    shape = Apply("outered", (Ref(first), Ref(second)))
    if rule.kind != "elementwise":
        return replace(rule, op=op, shape=shape, body=())
    turned = _Turned(rule, first, second)
    return replace(
        rule,
        op=op,
        kind="general",
        shape=shape,
        body=turned.lines(rule.body),
        tangents=turned.tangents,
    )


class _Turned:
    """The lines of an elementwise rule, for the two arguments at right angles."""

    def __init__(self, rule: Rule, first: Var, second: Var) -> None:
        self.rule, self.first, self.second = rule, first, second
        both = (Ref(first), Ref(second))
        self.stretched = {first: Apply("ahead_of", both)}
        self.tangents = {
            var: SUPPLY.var(f"t_{var.name}", Origin.LOCAL) for var in (first, second)
        }

    def lines(self, lines: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for line in lines:
            if isinstance(line, Local):
                found.append(Local(line.var, substitute(line.value, self.stretched)))
            elif isinstance(line, If):
                test = substitute(line.test, self.stretched)
                found.append(If(test, self.lines(line.then), self.lines(line.orelse)))
            elif isinstance(line, Adjoint):
                found += self._adjoint(line)
        return tuple(found)

    def _adjoint(self, line: Adjoint) -> list[Adjoint]:
        """What flows back to one argument, and what its tangent adds to the result's."""
        of, value = line.of.var, substitute(line.value, self.stretched)
        axes = Const(of == self.first)
        total = Apply("sum_outside", (value, Ref(self.first), Ref(self.second), axes))
        found = [Adjoint(line.of, total)]
        if self.rule.cotangent in reads(value):
            tangent: Expr = Ref(self.tangents[of])
            if of == self.first:
                tangent = Apply("ahead_of", (tangent, Ref(self.second)))
            pushed = substitute(value, {self.rule.cotangent: tangent})
            found.append(Adjoint(Ref(self.rule.result), pushed))
        return found

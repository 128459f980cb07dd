"""abs(z)**2 as what is smooth at 0, where second derivatives are asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Stmt,
    Supply,
)
from gradgen.ir.operators import call, multiply
from gradgen.ir.walk import lets, with_blocks
from gradgen.rules.traits import EVEN
from gradgen.shapes.infer import Facts


def squared_lengths(
    primal: Function, facts: Facts, supply: Supply
) -> tuple[Function, Facts]:
    """The function with squares of what absolute values are made of.

        before:  x_abs = np.abs(x)
                 y = x_abs**2
        after:   x_abs = np.abs(x)
                 y = x**2

    The absolute value has a kink at 0, whose second derivative no convention has; its
    even powers have none, nor have np.cos and np.cosh of it. Of complex numbers it is
    np.real(z * np.conj(z)).
    """
    if not any(
        getattr(let.value, "op", "") == "numpy.abs" for let in lets(primal.body)
    ):
        return primal, facts
    facts = facts.copy()
    walk = _Squares(facts, supply)
    body = tuple(walk.block(primal.body))
    return (primal if body == primal.body else replace(primal, body=body)), facts


class _Squares:
    def __init__(self, facts: Facts, supply: Supply) -> None:
        self.facts, self.supply = facts, supply

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Let):
                yield from self._let(stmt)
            else:
                yield with_blocks(stmt, self.block)

    def _let(self, let: Let) -> Iterator[Let]:
        """The statement, and ahead of it what it reads instead."""
        value = let.value
        base, exponent = self._even(value)
        z = self._measured(base)
        if z is None or not isinstance(value, Apply):
            yield let
            return
        if not self.facts.is_complex(z):
            args = tuple(z if arg == base else arg for arg in value.args)
            changed: Expr = replace(value, args=args)
        elif exponent:
            product = self._own("z_conj", call("numpy.conj", z), let)
            yield product
            square = self._own("z_square", multiply(z, Ref(product.var)), let)
            yield square
            changed = call("numpy.real", Ref(square.var))
            if exponent > 2:
                length = self._own("z_length", changed, let)
                yield length
                half = Const(exponent // 2)
                changed = Apply("numpy.power", (Ref(length.var), half), (), "operator")
        else:
            yield let
            return
        self.facts.definitions[let.var] = changed
        yield replace(let, value=changed)

    def _own(self, name: str, value: Expr, let: Let) -> Let:
        made = Let(self.supply.var(name, Origin.TEMP), value, let.note)
        self.facts.learn(made)
        return made

    def _even(self, value: Expr) -> tuple[Expr | None, int]:
        """What is raised to an even power, and the power; 0 for an even function."""
        if not isinstance(value, Apply) or value.kwargs or not value.args:
            return None, 0
        first, *others = value.args
        if value.op in EVEN:
            return first, 0
        if (
            value.op == "numpy.square"
            or value.op == "numpy.multiply"
            and others == [first]
        ):
            return first, 2
        if value.op == "numpy.power" and isinstance(others[0], Const):
            exponent = others[0].value
            whole = isinstance(exponent, (int, float)) and exponent > 0
            if whole and exponent % 2 == 0:
                return first, int(exponent)
        return None, 0

    def _measured(self, length: Expr | None) -> Expr | None:
        """z of np.abs(z)."""
        if not isinstance(length, Ref):
            return None
        made = self.facts.definitions.get(length.var)
        if isinstance(made, Apply) and made.op == "numpy.abs" and not made.kwargs:
            return made.args[0]
        return None

"""A block of the gradient: what it reads of the primal, and what leaves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gradgen.ir.nodes import Apply, Effect, Expr, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, IN_PLACE
from gradgen.ir.walk import (
    lets,
    map_expressions,
    own_expressions,
    reads,
    reads_of,
    statements,
    substitute,
)
from gradgen.simplify.lists import KEPT

# so often an operation that the user has named is read before it has a line in an arm
OFTEN = 3


def read_of(gradient: Iterable[Stmt], own: set[Var]) -> Iterable[Var]:
    """The primal's variables that a block of the gradient reads, in order."""
    found: dict[Var, None] = {}
    for stmt in statements(gradient):
        for expr in own_expressions(stmt):
            found.update((var, None) for var in reads(expr) if var in own)
    return found


def ending(gradient: Iterable[Stmt], ends: Iterable[Expr]) -> list[Stmt]:
    """A block and what leaves it, which may be a variable of the primal as it stands."""
    return [*gradient, Effect(Apply("tuple", tuple(ends)), KEPT)]


def apart(block: Iterable[Stmt]) -> tuple[tuple[Stmt, ...], tuple[Expr, ...]]:
    """The block, and what leaves it."""
    *inside, last = block
    assert isinstance(last, Effect) and isinstance(last.value, Apply)
    return tuple(inside), last.value.args


def with_values(
    gradient: Iterable[Stmt], values: Mapping[Var, Expr]
) -> tuple[Stmt, ...]:
    return map_expressions(gradient, lambda expr: substitute(expr, values))


def often_read(gradient: Sequence[Stmt], values: Mapping[Var, Expr]) -> set[Var]:
    """The user's names of arithmetic that an arm of the way back reads several times.

    before:  d_rs = 6 * d_p * (sigma / r) ** 5 * (2 * (sigma / r) ** 6 - 1)
    after:   rs = sigma / r
             d_rs = 6 * d_p * rs**5 * (2 * rs**6 - 1)
    """
    read = Counter(var for stmt in gradient for var in reads_of(stmt))
    return {
        var
        for var, value in values.items()
        if read[var] >= OFTEN
        and var.origin is Origin.USER
        and isinstance(value, Apply)
        and value.op in ARITHMETIC
    }


def named_in(gradient: Sequence[Stmt]) -> set[Var]:
    """The variables that stores of a block start from, and those that leave it.

    Each is a name, and no part of another value: a derivative of the way back asks for
    the share of what leaves by its name.
    """
    values = (let.value for let in lets(gradient))
    bases = [v.args[0] for v in values if isinstance(v, Apply) and v.op in IN_PLACE]
    last = gradient[-1] if gradient else None
    if isinstance(last, Effect) and isinstance(last.value, Apply):
        bases += last.value.args
    return {base.var for base in bases if isinstance(base, Ref)}

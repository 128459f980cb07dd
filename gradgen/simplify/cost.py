"""How much work an expression is."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Expr, Origin, Ref, Var
from gradgen.ir.walk import is_static, subexpressions
from gradgen.ir.operators import ARITHMETIC, SCALING
from gradgen.shapes.infer import Facts
from gradgen.simplify.monomials import weight

# An operation on a row against one on a number; and one that is not arithmetic.
LENGTH = 50
EXPENSIVE = 20
# a power of a number
POWER = 2


def cost(expr: Expr, facts: Facts) -> int:
    """The work, counted in arithmetic operations on a number.

    A product that is only a part of a user's statement counts where it is read:
    it may have to be written there again.
    """
    return _work(expr, facts, {} if facts.works is None else facts.works)


def with_names(facts: Facts, temporaries: Iterable[Var]) -> Facts:
    """The same facts, where the text has names for these temporaries as well."""
    other = copy(facts)
    other.named, other.works = facts.named.union(temporaries), None
    return other


def _work(expr: Expr, facts: Facts, known: dict[Var, int]) -> int:
    """The same; `known` is the work of the products that are parts of statements."""
    total = 0
    places: set[int] = set()  # the keys of entries
    for node in subexpressions(expr):
        if isinstance(node, Apply) and is_entry(node, facts):
            places.update(map(id, subexpressions(node.args[1])))
        elif isinstance(node, Apply) and id(node) not in places:
            size = min(weight(node, facts)[0], 3)
            work = 1 if node.op in ARITHMETIC else EXPENSIVE
            if not size and node.op == "numpy.power":
                work = POWER
            total += work * LENGTH**size
        elif isinstance(node, Ref) and node.var.origin is Origin.TEMP:
            if node.var not in known:
                value = facts.definitions.get(node.var)
                there = node.var in facts.named or not is_product(value)
                found = 0 if there or value is None else _work(value, facts, known)
                known[node.var] = found
            total += known[node.var]
    return total


def is_entry(node: Apply, facts: Facts) -> bool:
    """Whether it is one number of an array, at a place that is written out: R[0, 1].

    It says as much as a name would.
    """
    entry = node.op == "getitem" and is_static(node.args[1])
    return entry and facts.rank(node) == 0


def is_product(value: Expr | None) -> TypeGuard[Apply]:
    """Whether a value is a product, a quotient or a negative."""
    return isinstance(value, Apply) and value.op in SCALING

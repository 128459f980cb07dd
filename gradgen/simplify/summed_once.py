"""Sums to the shape of a part of an operand, whose result is summed again: one sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeGuard

from gradgen.ir.nodes import (
    Apply,
    Carried,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Role,
    Var,
)
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE
from gradgen.ir.walk import lets, map_values, own_expressions, reads, rewrite
from gradgen.ir.walk import statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, equal, join

SUM = "helper._unbroadcast"


def summed_once(function: Function, facts: Facts) -> Function:
    """The function without a sum to a product's shape before one to its factor's.

        before:  d_xy = _unbroadcast(d_out * z + np.zeros_like(xy), xy)
                 d_x = _unbroadcast(d_xy * y, x)
        after:   d_xy = d_out * z
                 d_x = _unbroadcast(d_xy * y + np.zeros_like(x), x)

    What the product was stretched along stays until the last sum, which takes both. What
    is summed has the axes of x (see filled).
    Products may stand between the two: d_z = 2 * _unbroadcast(d_zz, zz) * z. The last sum
    may be one of all: d_a = np.sum(_unbroadcast(d_out * r, ax) * x), a number.
    """
    if not has_sums(function):
        return function
    return Sums(function, facts).without_needless()


def _derived(function: Function) -> Iterator[Let]:
    for let in lets(function.body):
        if let.note.role is not Role.FORWARD:
            yield let


def has_sums(function: Function) -> bool:
    """Whether adjoints are summed to shapes; found once, and kept with the function."""
    known: bool | None = function.__dict__.get("_sums")
    if known is None:
        known = any(_has_sum(let.value) for let in _derived(function))
        function.__dict__["_sums"] = known
    return known


def _has_sum(expr: Expr) -> bool:
    return any(is_sum(node) for node in subexpressions(expr))


def is_sum(node: Expr) -> TypeGuard[Apply]:
    """Whether an expression is a sum to the shape of its second operand."""
    return isinstance(node, Apply) and node.op == SUM


def _is_total(node: Expr) -> TypeGuard[Apply]:
    """Whether an expression is a sum of all entries."""
    alone = isinstance(node, Apply) and len(node.args) == 1 and not node.kwargs
    return alone and getattr(node, "op") == "numpy.sum"


def _target(node: Apply) -> Expr:
    """What a sum has the shape of: a number where it is one of all entries."""
    return node.args[1] if node.op == SUM else Const(0)


class Sums:
    """Finds sums of a function's adjoints that a later sum takes anyway."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.function, self.facts = function, facts
        self.readers = readers(function)
        self.larger: set[Var] = set()  # adjoints whose sum has been left out

    def without_needless(self) -> Function:
        """The function without them."""
        changed: dict[Var, Expr] = {}
        for let in _derived(self.function):
            value = rewrite(let.value, self._without_inner)
            for inner, factors in factors_of(value):
                if is_sum(inner):
                    summed, target = inner.args
                    later = self._summed_later(let, target, summed, factors)
                    if later:
                        value = _put(value, inner, summed)
                        self.larger |= later
                        self._learn(let, value, later)
            if value != let.value:
                changed[let.var] = value
        if not changed:
            return self.function
        function = map_values(
            self.function, lambda one: changed.get(one.var, one.value)
        )
        for let in _derived(function):
            if let.var in self.larger:
                self.facts.learn(let)
        return function

    def _learn(self, let: Let, value: Expr, later: set[Var]) -> None:
        """Learns the axes that adjoints have now: others, and fewer of the product's."""
        self.facts.learn(replace(let, value=value))
        for one in _derived(self.function):
            if one.var in later and one.var != let.var:
                self.facts.learn(one)

    def _summed_later(
        self, let: Let, target: Expr, summed: Expr, factors: list[Expr]
    ) -> set[Var]:
        """The adjoints that are larger without a sum in a product; none if it is needed.

        It is not, where all that reads the product is products, which are summed
        further. The other factors have the shape of the sum's target at most.
        """
        of, *others = map(self.facts.of, (target, *factors))
        if any(var in self.larger for factor in factors for var in reads(factor)):
            return set()
        try:
            if not equal(join(of, *others), of):
                return set()
            whole = join(self.facts.of(summed), *others)
        except ShapeConflict:
            return set()
        return self._larger(let, of, whole)

    def _larger(self, let: Let, of: Shape, whole: Shape) -> set[Var]:
        found = {let.var}
        if not self.readers[let.var]:
            return set()
        for reader in self.readers[let.var]:
            if not isinstance(reader, Let):
                return set()
            if self.is_summed_in(reader, let.var, of, whole):
                continue
            between = self.between(reader, let.var, of)
            if between is None:
                return set()
            try:
                later = self._larger(reader, of, join(whole, *between))
            except ShapeConflict:
                return set()
            if not later:
                return set()
            found |= later
        return found

    def between(self, reader: Let, var: Var, of: Shape) -> list[Shape] | None:
        """The shapes of the other factors of a product with an adjoint, if it is one."""
        if list(reads(reader.value)).count(var) != 1:
            return None
        for inner, factors in factors_of(reader.value):
            if inner == Ref(var):
                if any(one in self.larger for f in factors for one in reads(f)):
                    return None
                shapes = [self.facts.of(factor) for factor in factors]
                try:
                    return shapes if equal(join(of, *shapes), of) else None
                except ShapeConflict:
                    return None
        return None

    def _without_inner(self, node: Expr) -> Expr:
        """A sum without the sums within its operand that it takes itself."""
        if not is_sum(node) and not _is_total(node):
            return node
        operand, target = node.args[0], _target(node)
        for inner, factors in factors_of(operand):
            if not is_sum(inner):
                continue
            summed, product = inner.args
            of = self.facts.of(product)
            all_in = [self.facts.of(summed), *map(self.facts.of, factors)]
            if self._is_taken(of, all_in, factors, target):
                args = _put(operand, inner, summed), *node.args[1:]
                return replace(node, args=args)
        return node

    def is_summed_in(self, reader: Let, var: Var, of: Shape, summed: Shape) -> bool:
        """Whether each product of a statement with an adjoint is summed to its factor."""
        found = 0
        for node in subexpressions(reader.value):
            if not is_sum(node) and not _is_total(node):
                continue
            terms = list(terms_of(node.args[0]))
            before = found
            for inner, factors in chain.from_iterable(map(factors_of, terms)):
                if inner == Ref(var):
                    parts = [summed, *map(self.facts.of, factors)]
                    if not self._is_taken(of, parts, factors, _target(node)):
                        return False
                    found += 1
            if found > before and found - before != len(terms):
                return False  # a term without it would be summed along its axes
        return found == sum(node == Ref(var) for node in subexpressions(reader.value))

    def _is_taken(
        self, of: Shape, all_in: list[Shape], factors: list[Expr], target: Expr
    ) -> bool:
        """Whether a sum to a target's shape takes the sum to a product's shape.

        The factors and the target have been stretched to the product's shape at
        most, and each axis that is to be summed is there.
        """
        facts = self.facts
        if any(var in self.larger for factor in factors for var in reads(factor)):
            return False
        try:
            within = [*map(facts.of, factors), facts.of(target)]
            whole = join(*all_in, facts.of(target))
            return equal(join(of, *within), of) and equal(join(whole, of), whole)
        except ShapeConflict:
            return False


def terms_of(expr: Expr) -> Iterator[Expr]:
    """The terms of a sum of arrays, whatever their signs."""
    if isinstance(expr, Apply) and expr.op in ADDITIVE and expr.spelling == "operator":
        for arg in expr.args:
            yield from terms_of(arg)
    else:
        yield expr


def factors_of(expr: Expr) -> Iterator[tuple[Expr, list[Expr]]]:
    """Each factor of a product of arrays, with all the others."""
    if isinstance(expr, Apply):
        if expr.op == "numpy.negative":
            yield from factors_of(expr.args[0])
            return
        if expr.op in MULTIPLICATIVE:
            left, right = expr.args
            for inner, others in factors_of(left):
                yield inner, [*others, right]
            if expr.op == "numpy.multiply":
                for inner, others in factors_of(right):
                    yield inner, [*others, left]
            return
    yield expr, []


def readers(function: Function) -> defaultdict[Var, list[Let | Carried | None]]:
    """The adjoints and what loops carry that read a variable; None for all else."""
    found: defaultdict[Var, list[Let | Carried | None]] = defaultdict(list)
    for stmt in statements(function.body):
        if isinstance(stmt, Loop) and stmt.note.role is not Role.FORWARD:
            for slot in stmt.carried:
                for var in {*reads(slot.entry), *reads(slot.next)}:
                    found[var].append(slot)
            stmt = replace(stmt, carried=())
        adjoint = stmt.note.role is not Role.FORWARD and isinstance(stmt, Let)
        own = stmt if adjoint and isinstance(stmt, Let) else None
        for expr in own_expressions(stmt):
            for var in dict.fromkeys(reads(expr)):
                found[var].append(own)
    for value in (*function.values, *(r.value for r in function.results)):
        for var in reads(value):
            found[var].append(None)
    return found


def _put(expr: Expr, old: Expr, new: Expr) -> Expr:
    return rewrite(expr, lambda node: new if node == old else node)

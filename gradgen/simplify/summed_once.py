"""Sums to the shape of a part of an operand, whose result is summed again: one sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Role, Var
from gradgen.ir.operators import MULTIPLICATIVE
from gradgen.ir.walk import reads, reads_of, rewrite, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, equal, join

SUM = "helper._unbroadcast"


def summed_once(function: Function, facts: Facts) -> Function:
    """The function without a sum to a product's shape before one to its factor's.

        before:  d_xy = _unbroadcast(d_out * z, xy)
                 d_x = _unbroadcast(d_xy * y, x)
        after:   d_xy = d_out * z
                 d_x = _unbroadcast(d_xy * y, x)

    What the product was stretched along stays until the last sum, which takes both.
    """
    if not any(_has_sum(stmt.value) for stmt in _derived(function)):
        return function
    return _Sums(function, facts).without_needless()


def _derived(function: Function) -> Iterator[Let]:
    for stmt in function.body:
        if isinstance(stmt, Let) and stmt.note.role is not Role.FORWARD:
            yield stmt


def _has_sum(expr: Expr) -> bool:
    return any(_is_sum(node) for node in subexpressions(expr))


def _is_sum(node: Expr) -> bool:
    return isinstance(node, Apply) and node.op == SUM


class _Sums:
    """Finds sums of a function's adjoints that a later sum takes anyway."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.function, self.facts = function, facts
        self.readers: defaultdict[Var, list[Let | None]] = defaultdict(list)
        self.larger: set[Var] = set()  # adjoints whose sum has been left out
        derived = {let.var: let for let in _derived(function)}
        for stmt in function.body:
            own = derived.get(stmt.var) if isinstance(stmt, Let) else None
            for var in reads_of(stmt):
                self.readers[var].append(own)
        for value in (*function.values, *(r.value for r in function.results)):
            for node in subexpressions(value):
                if isinstance(node, Ref):
                    self.readers[node.var].append(None)

    def without_needless(self) -> Function:
        function, facts = self.function, self.facts
        for let in _derived(function):
            value = rewrite(let.value, self._without_inner)
            if isinstance(value, Apply) and _is_sum(value):
                summed, target = value.args
                if self._is_summed_later(let, facts.of(target), facts.of(summed)):
                    value = summed
                    self.larger.add(let.var)
            if value != let.value:
                function = _with(function, let, value)
        for let in _derived(function):
            if let.var in self.larger:
                facts.learn(let)
        return function

    def _without_inner(self, node: Expr) -> Expr:
        """A sum without the sums within its operand that it takes itself."""
        if not isinstance(node, Apply) or not _is_sum(node):
            return node
        operand, target = node.args
        for inner, factors in _factors(operand):
            if not isinstance(inner, Apply) or not _is_sum(inner):
                continue
            summed, product = inner.args
            of = self.facts.of(product)
            all_in = [self.facts.of(summed), *map(self.facts.of, factors)]
            if self._is_taken(of, all_in, factors, target):
                return replace(node, args=(_put(operand, inner, summed), target))
        return node

    def _is_summed_later(self, let: Let, of: Shape, summed: Shape) -> bool:
        """Whether all that reads an adjoint is products, which are summed further."""
        readers = self.readers[let.var]
        return bool(readers) and all(
            reader is not None and self._is_summed_in(reader, let.var, of, summed)
            for reader in readers
        )

    def _is_summed_in(self, reader: Let, var: Var, of: Shape, summed: Shape) -> bool:
        """Whether each product of a statement with an adjoint is summed to its factor."""
        found = 0
        for node in subexpressions(reader.value):
            if not isinstance(node, Apply) or not _is_sum(node):
                continue
            for inner, factors in _factors(node.args[0]):
                if inner == Ref(var):
                    parts = [summed, *map(self.facts.of, factors)]
                    if not self._is_taken(of, parts, factors, node.args[1]):
                        return False
                    found += 1
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


def _factors(expr: Expr) -> Iterator[tuple[Expr, list[Expr]]]:
    """Each factor of a product of arrays, with all the others."""
    if isinstance(expr, Apply):
        if expr.op == "numpy.negative":
            yield from _factors(expr.args[0])
            return
        if expr.op in MULTIPLICATIVE:
            left, right = expr.args
            for inner, others in _factors(left):
                yield inner, [*others, right]
            if expr.op == "numpy.multiply":
                for inner, others in _factors(right):
                    yield inner, [*others, left]
            return
    yield expr, []


def _put(expr: Expr, old: Expr, new: Expr) -> Expr:
    return rewrite(expr, lambda node: new if node == old else node)


def _with(function: Function, let: Let, value: Expr) -> Function:
    body = tuple(
        replace(stmt, value=value) if stmt is let else stmt for stmt in function.body
    )
    return replace(function, body=body)

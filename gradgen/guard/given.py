"""What a test says of the numbers where it holds: proofs inside np.where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import inf

from gradgen.guard.nonzero import LOGS, Proofs
from gradgen.guard.ranges import Range, exactly
from gradgen.ir.nodes import Apply, Expr, Ref, Var
from gradgen.ir.walk import is_static, reads, static, substitute, subexpressions
from gradgen.ir.operators import (
    CONJUNCTIONS,
    CONTRARY,
    DISJUNCTIONS,
    MIRRORED,
    MODULI,
    NEGATIONS,
)
from gradgen.shapes.infer import Facts

# comparison of a value with a constant -> the range where it holds
HOLDS = {
    "numpy.less": lambda c: Range(high=c, high_open=True, nan=False),
    "numpy.less_equal": lambda c: Range(high=c, nan=False),
    "numpy.greater": lambda c: Range(low=c, low_open=True, nan=False),
    "numpy.greater_equal": lambda c: Range(low=c, nan=False),
    "numpy.equal": lambda c: Range(c, c, nan=False),
    "numpy.not_equal": lambda c: Range(but_zero=c == 0),
}
# A definition that is longer stays a name.
LONG = 40


class Given:
    """What is known of values in the entries where some tests hold.

    The values and the tests have to be of the same entries: what is asked is about
    elementwise expressions, whose entries stand one on another from the last axis.
    """

    def __init__(
        self,
        proofs: Proofs,
        facts: Facts,
        known: Mapping[Expr, Range] | None = None,
        written: dict[Var, Expr] | None = None,
    ) -> None:
        self.proofs, self.facts = proofs, facts
        self.known = dict(known or {})
        self.written = {} if written is None else written

    def under(self, test: Expr, holds: bool) -> Given:
        """What is known where a test holds as well, or where it does not."""
        inner = Given(self.proofs, self.facts, self.known, self.written)
        for value, numbers in self._told(self.expanded(test), holds):
            old = inner.known.get(value, Range())
            inner.known[value] = old & numbers
        return inner

    def anywhere(self) -> Given:
        """What is known of any entry."""
        return Given(self.proofs, self.facts, None, self.written)

    def nonzero(self, expr: Expr) -> bool:
        """Whether a value is surely not 0 in these entries."""
        return self.numbers(expr).nonzero

    def is_zero(self, expr: Expr) -> bool:
        """Whether a value is surely 0 in these entries."""
        return self.numbers(expr).is_zero

    @property
    def impossible(self) -> bool:
        """Whether there are no such entries."""
        return any(numbers.empty for numbers in self.known.values())

    def numbers(self, expr: Expr) -> Range:
        """The numbers that a value may be in these entries."""
        return self._numbers(self.expanded(expr))

    def expanded(self, expr: Expr) -> Expr:
        """The value by the definitions of its variables, as far as they are short."""
        waiting, begun = list(reads(expr)), set()
        while waiting:  # a definition comes after those that it reads
            var = waiting[-1]
            value = self.proofs.definitions.get(var)
            if value is None or var in self.written:
                waiting.pop()
            elif var not in begun:
                begun.add(var)
                waiting += reads(value)
            else:
                long = self._substituted(value)
                short = sum(1 for _ in subexpressions(long)) <= LONG
                self.written[var] = long if short else Ref(var)
        return self._substituted(expr)

    def _substituted(self, expr: Expr) -> Expr:
        known = {v: self.written[v] for v in reads(expr) if v in self.written}
        return substitute(expr, known)

    def _told(self, test: Expr, holds: bool) -> Iterator[tuple[Expr, Range]]:
        """(value, the numbers that it is one of) for what a test is made of."""
        if not isinstance(test, Apply) or test.kwargs:
            return
        if test.op in NEGATIONS:
            yield from self._told(test.args[0], not holds)
        elif test.op in (CONJUNCTIONS if holds else DISJUNCTIONS):
            for part in test.args[:2]:
                yield from self._told(part, holds)
        elif test.op in HOLDS and len(test.args) == 2:
            yield from self._compared(test, holds)

    def _compared(self, test: Apply, holds: bool) -> Iterator[tuple[Expr, Range]]:
        op, (left, right) = test.op, test.args
        if is_static(left):
            op, left, right = MIRRORED.get(op, op), right, left
        bound = static(right) if is_static(right) else None
        if isinstance(bound, bool) or not isinstance(bound, (int, float)):
            return
        if bound != bound or abs(bound) == inf:
            return
        ends = exactly(bound)
        op = op if holds else CONTRARY[op]
        if op == "numpy.equal" and ends.low != ends.high:
            return
        numbers = HOLDS[op](ends.low if "greater" in op else ends.high)
        # nan is not less than anything, and not equal to it
        unsure = op != "numpy.equal" and (not holds or op == "numpy.not_equal")
        numbers = replace(numbers, nan=unsure)
        yield left, numbers
        if isinstance(left, Apply) and left.op in MODULI:
            if numbers.nonzero:
                yield left.args[0], Range(but_zero=True)

    def _numbers(self, expr: Expr) -> Range:
        found = self._computed(expr)
        return found & self.known[expr] if expr in self.known else found

    def _computed(self, expr: Expr) -> Range:
        if is_static(expr):
            value = static(expr)
            plain = isinstance(value, (int, float)) and not isinstance(value, bool)
            return exactly(value) if plain and value == value else Range()
        if not isinstance(expr, Apply) or expr.kwargs:
            return self._by_sign(expr)
        rule = RULES.get(expr.op)
        found = None if rule is None else rule(self, *expr.args)
        return self._by_sign(expr) if found is None else found & self._by_sign(expr)

    def _by_sign(self, expr: Expr) -> Range:
        signs = self.proofs.signs(expr)
        low, high = (-inf if -1 in signs else 0), (inf if 1 in signs else 0)
        if 0 in signs:
            return Range(low, high)
        return Range(low, high, low == 0, high == 0, True)

    def _product(self, a: Expr, b: Expr) -> Range | None:
        for one, other in ((a, b), (b, a)):
            if is_static(one) and isinstance(static(one), (int, float)):
                return self._numbers(other).times(static(one))
        return None

    def _selected(self, value: Expr, key: Expr) -> Range | None:
        """The entries that a boolean array of the same shape takes."""
        if not self.facts.is_boolean(key) or not self.facts.same(value, key):
            return None
        return self.anywhere().under(key, True)._numbers(value)


RULES: dict[str, Callable[..., Range | None]] = {
    "numpy.add": lambda g, a, b: g._numbers(a) + g._numbers(b),
    "numpy.subtract": lambda g, a, b: g._numbers(a) + -g._numbers(b),
    "numpy.multiply": Given._product,
    "numpy.negative": lambda g, a: -g._numbers(a),
    "numpy.abs": lambda g, a: abs(g._numbers(a)),
    "numpy.fabs": lambda g, a: abs(g._numbers(a)),
    "numpy.sqrt": lambda g, a: g._numbers(a).root(),
    "numpy.maximum": lambda g, a, b: g._numbers(a).larger(g._numbers(b)),
    "numpy.minimum": lambda g, a, b: g._numbers(a).smaller(g._numbers(b)),
    "getitem": Given._selected,
}


def divided(given: Given) -> Iterator[Expr]:
    """What the primal divides something by that is not 0, or takes the log of."""
    for var, value in given.facts.definitions.items():
        if isinstance(value, Apply) and given.facts.homes.get(var) == ():
            if value.op == "numpy.divide" and given.proofs.nonzero(value.args[0]):
                yield given.expanded(value.args[1])
            elif value.op in LOGS:
                yield given.expanded(value.args[0])

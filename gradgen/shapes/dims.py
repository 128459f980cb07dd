"""Sizes of axes as polynomials in named sizes: n, n - 2, n * d, 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gradgen.frozen import dataclass


@dataclass(frozen=True)
class Dim:
    """A sum of products of named sizes; `terms` is sorted and has no zeros."""

    terms: tuple[tuple[tuple[str, ...], int], ...]

    @staticmethod
    def of(value: int | str) -> Dim:
        """The size of an axis with that length or name."""
        if isinstance(value, str):
            return Dim((((value,), 1),))
        return Dim((((), value),)) if value else Dim(())

    @property
    def number(self) -> int | None:
        """The length, when it is a plain number."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    @property
    def symbol(self) -> str | None:
        """The name, when the size is just a name."""
        if len(self.terms) == 1:
            ((names, factor),) = self.terms
            if factor == 1 and len(names) == 1:
                return names[0]
        return None

    def renamed(self, sizes: Mapping[str, Dim]) -> Dim:
        """The size with some of its names replaced by sizes."""
        if sizes.keys().isdisjoint(self.names):
            return self
        total = Dim.of(0)
        for names, factor in self.terms:
            term = Dim.of(factor)
            for name in names:
                term = term * sizes.get(name, Dim.of(name))
            total = total + term
        return total

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for names, _ in self.terms for name in names)

    def __add__(self, other: Dim) -> Dim:
        return _collect([*self.terms, *other.terms])

    def __sub__(self, other: Dim) -> Dim:
        return _collect([*self.terms, *((n, -k) for n, k in other.terms)])

    def __mul__(self, other: Dim) -> Dim:
        products = [
            (tuple(sorted(n1 + n2)), k1 * k2)
            for n1, k1 in self.terms
            for n2, k2 in other.terms
        ]
        return _collect(products)

    def at(self, sizes: Mapping[str, int]) -> Dim:
        """The size where some of the named ones are known."""
        total = Dim(())
        for names, k in self.terms:
            term = Dim.of(k)
            for name in names:
                term = term * Dim.of(sizes.get(name, name))
            total = total + term
        return total

    def divided_by(self, other: Dim) -> Dim | None:
        """The quotient, when it is exact and the divisor, or it, is one product."""
        if len(other.terms) == 1:
            return self._over(*other.terms[0])
        if not other.terms:
            return None
        for term in self.terms:
            quotient = Dim((term,))._over(*other.terms[0])
            if quotient is not None and quotient * other == self:
                return quotient
        return None

    def _over(self, names: tuple[str, ...], factor: int) -> Dim | None:
        """The quotient by one product of named sizes and a number."""
        quotient = []
        for mine, k in self.terms:
            left = Counter(mine)
            left.subtract(names)
            if k % factor or any(n < 0 for n in left.values()):
                return None
            quotient.append((tuple(sorted(left.elements())), k // factor))
        return _collect(quotient)

    def __str__(self) -> str:
        text = ""
        # n - k, not -k + n
        first = next((term for term in self.terms if term[1] > 0), None)
        terms = [first] if first else []
        for names, k in [*terms, *(term for term in self.terms if term is not first)]:
            size = "*".join(names) if names else str(abs(k))
            if names and abs(k) != 1:
                size = f"{abs(k)}*{size}"
            sign = ("-" if k < 0 else "") if not text else (" - " if k < 0 else " + ")
            text += sign + size
        return text or "0"


ONE = Dim.of(1)


def _collect(terms: Iterable[tuple[tuple[str, ...], int]]) -> Dim:
    total: Counter[tuple[str, ...]] = Counter()
    for names, k in terms:
        total[names] += k
    kept = [(names, k) for names, k in total.items() if k]
    # Names first, then the plain number: n - 2.
    return Dim(tuple(sorted(kept, key=lambda term: (not term[0], term[0]))))

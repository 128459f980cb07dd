"""Ranges of numbers with open and closed ends, and the arithmetic of floats on them."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt

from gradgen.frozen import dataclass

# Ends are moved outward by this for each rounding, more than any dtype needs.
SLACK = 0.01
# A smaller constant is 0 in float32.
TINY = 1e-30


@dataclass(frozen=True)
class Range:
    """The numbers from `low` to `high`; an open end is not among them.

    With `but_zero` 0 is not among them either, with `nan` nan may be. An end of 0
    is exact, whether it is open or not; others are moved outward by roundings.
    """

    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False
    but_zero: bool = False
    nan: bool = True

    @property
    def nonzero(self) -> bool:
        """Whether 0 is not among the numbers."""
        below = self.high < 0 or self.high == 0 and self.high_open
        above = self.low > 0 or self.low == 0 and self.low_open
        return self.but_zero or below or above

    @property
    def is_zero(self) -> bool:
        """Whether 0 is the only one."""
        return self.low == self.high == 0 and not self.nan

    @property
    def empty(self) -> bool:
        """Whether there is no number in it, nan aside."""
        if self.low == self.high:
            return self.low_open or self.high_open or self.low == 0 and self.but_zero
        return self.low > self.high

    def __and__(self, other: Range) -> Range:
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, shut = min(
            (self.high, not self.high_open), (other.high, not other.high_open)
        )
        but_zero = self.but_zero or other.but_zero
        return Range(low, high, low_open, not shut, but_zero, self.nan and other.nan)

    def __neg__(self) -> Range:
        return replace(
            self,
            low=-self.high,
            high=-self.low,
            low_open=self.high_open,
            high_open=self.low_open,
        )

    def __add__(self, other: Range) -> Range:
        """A sum of floats is 0 only where one is exactly the other's negative."""
        low, low_open = _sum(self.low, self.low_open, other.low, other.low_open, -1)
        high, high_open = _sum(
            self.high, self.high_open, other.high, other.high_open, 1
        )
        return Range(low, high, low_open, high_open, False, True)

    def __abs__(self) -> Range:
        if self.low >= 0:
            return self
        if self.high <= 0:
            return -self
        return Range(
            0, max(-self.low, self.high), False, False, self.but_zero, self.nan
        )

    def times(self, factor: float) -> Range:
        """The products with a number; they underflow where it is below 1."""
        if factor < 0:
            return (-self).times(-factor)
        if not 0 < factor < inf:
            return Range()
        exact = factor >= 1
        return Range(
            _outward(self.low * factor, -1),
            _outward(self.high * factor, 1),
            self.low == 0 and self.low_open and exact,
            self.high == 0 and self.high_open and exact,
            self.but_zero and exact,
            self.nan,
        )

    def root(self) -> Range:
        """The square roots; that of a number above 0 is above 0."""
        low = _outward(sqrt(max(self.low, 0)), -1)
        high = _outward(sqrt(max(self.high, 0)), 1)
        is_open = low == 0 and (self.low_open and self.low == 0 or self.but_zero)
        return Range(low, high, is_open, False, False, self.nan or self.low < 0)

    def larger(self, other: Range) -> Range:
        """The larger one of each pair."""
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        return Range(
            low,
            max(self.high, other.high),
            low_open,
            False,
            False,
            self.nan or other.nan,
        )

    def smaller(self, other: Range) -> Range:
        """The smaller one of each pair."""
        return -(-self).larger(-other)


def exactly(value: float) -> Range:
    """The range of one constant, which may be rounded to a dtype."""
    if 0 < abs(value) < TINY:
        return Range(min(value, 0), max(value, 0), nan=False)
    return Range(value, value, nan=False)


def _sum(
    a: float, a_open: bool, b: float, b_open: bool, side: int
) -> tuple[float, bool]:
    """The end of a sum, and whether it is open."""
    if a == -b:
        return (0.0, a_open or b_open) if abs(a) != inf else (side * inf, False)
    total = a + b
    if abs(total) == inf:
        return total, False
    return total + side * SLACK * (abs(a) + abs(b)), False


def _outward(value: float, side: int) -> float:
    if value == 0 or abs(value) == inf:
        return value
    if value != value:
        return side * inf
    return value + side * SLACK * abs(value)

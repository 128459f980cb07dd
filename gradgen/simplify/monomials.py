"""Products as (coefficient, numerators, denominators): equal factors cancel,
numbers come first, then small shapes before large ones, so that an array is
passed over once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, divide, multiply, negative
from gradgen.ir.operators import power
from gradgen.ir.signs import signed
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Ranked, Shape
from gradgen.simplify.counts import is_whole, may_overflow

# Powers up to this are products: x**2 * x**3 is x**5.
LARGEST_POWER = 16


@dataclass(frozen=True)
class Factor:
    """One factor of a denominator; those of one written product share a group."""

    base: Expr
    group: int


@dataclass(frozen=True)
class Monomial:
    """coefficient * numerators / denominators."""

    coefficient: Fraction
    numerators: tuple[Expr, ...] = ()
    denominators: tuple[Factor, ...] = ()

    @property
    def key(self) -> tuple[Any, ...]:
        """What equal terms share: everything but the coefficient."""
        below = [factor.base for factor in self.denominators]
        return _bag(self.numerators), _bag(below)

    def times(self, other: Monomial) -> Monomial:
        """The product."""
        shift = 1 + max((f.group for f in self.denominators), default=-1)
        moved = (replace(f, group=f.group + shift) for f in other.denominators)
        return Monomial(
            self.coefficient * other.coefficient,
            self.numerators + other.numerators,
            self.denominators + tuple(moved),
        )

    def inverse(self) -> Monomial:
        """1 over it; its numerators become one group."""
        above = tuple(factor.base for factor in self.denominators)
        below = tuple(Factor(base, 0) for base in self.numerators)
        return Monomial(1 / self.coefficient, above, below)

    def cancelled(self) -> Monomial:
        """Without the factors that stand above and below."""
        if not self.denominators:
            return self
        below = list(self.denominators)
        above = []
        for base in self.numerators:
            match = next((f for f in below if f.base == base), None)
            if match is None:
                above.append(base)
            else:
                below.remove(match)
        return replace(self, numerators=tuple(above), denominators=tuple(below))


def _bag(items: Iterable[Expr]) -> frozenset[Any]:
    counts: dict[Expr, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return frozenset(counts.items())


def taken(bases: Iterable[Expr], part: Iterable[Expr]) -> tuple[Expr, ...] | None:
    """What is left of factors without some of them; None where these are not there."""
    left = list(bases)
    for one in part:
        if one not in left:
            return None
        left.remove(one)
    return tuple(left)


def exact(value: object) -> Fraction | None:
    """A number as a coefficient, when arithmetic on it is exact; else None.

    2 and 0.5 are; 0.1 stays a factor, so that it prints as the user wrote it.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not abs(value) < 2**20:
        return None
    fraction = Fraction(value)
    return fraction if fraction.denominator <= 64 else None


def atom(expr: Expr) -> Monomial:
    """An expression as a product of one factor, or of a number alone."""
    if isinstance(expr, Const):
        number = exact(expr.value)
        if number is not None:
            return Monomial(number)
        if type(expr.value) is float and expr.value < 0:
            # -np.pi is -1 * np.pi, which may cancel np.pi
            positive = signed("USub", expr)
            if positive is not None:
                return Monomial(Fraction(-1), (positive,))
    return Monomial(Fraction(1), (expr,))


def is_slope(expr: Expr) -> bool:
    """Whether an expression is 1 - t**2."""
    if not isinstance(expr, Apply) or expr.op != "numpy.subtract":
        return False
    one, square = expr.args
    known = isinstance(square, Apply) and is_power(square)
    return one == Const(1) and known and square.args[1:] in ((), (Const(2),))


def is_power(expr: Apply) -> bool:
    """Whether an operation multiplies its operand by itself: x**3, np.square(x)."""
    if expr.op == "numpy.square":
        return True
    if expr.op != "numpy.power" or not isinstance(expr.args[1], Const):
        return False
    exponent = expr.args[1].value
    return type(exponent) is int and 1 <= exponent <= LARGEST_POWER


def weight(expr: Expr, facts: Facts) -> tuple[int, int]:
    """How large a value is: numbers, then rows, then matrices, then unknown."""
    shape = facts.of(expr)
    known: tuple[int, int] | None = shape.__dict__.get("_weight")
    if known is None:
        known = shape.__dict__["_weight"] = _weight(shape)
    return known


def _weight(shape: Shape) -> tuple[int, int]:
    largest = (0, 0)
    for atom in shape.atoms:
        if isinstance(atom, Ranked):
            long = sum(1 for dim in atom.dims if dim.number != 1)
            size = (long, 0)
        else:
            size = (8, 0) if type(atom).__name__ in ("Whole", "Indexed") else (4, 0)
        largest = max(largest, size)
    return largest


def build(monomial: Monomial, facts: Facts) -> Expr:
    """The product as a person writes it: -2 * d_x / n * X.

    Small shapes first; within a shape adjoints first and brackets last; x / r / r keeps its own
    brackets, since d * x may underflow where x / r does not.
    """
    monomial = _one_number(monomial)
    coefficient = monomial.coefficient
    sizes = sorted(
        {weight(base, facts) for base in monomial.numerators}
        | {weight(factor.base, facts) for factor in monomial.denominators}
    )
    whole = Fraction(coefficient.numerator), coefficient.denominator
    result: Expr | None = None
    sign = coefficient < 0
    top = abs(whole[0])
    bottom = whole[1]
    waiting: list[Factor] = []
    for size in sizes or [(0, 0)]:
        above = [b for b in monomial.numerators if weight(b, facts) == size]
        if len(above) > 1:
            above.sort(key=lambda base: (is_whole(base, facts), *_place(base, facts)))
        above = _powers(above, facts)
        below = [f for f in monomial.denominators if weight(f.base, facts) == size]
        below = waiting + below
        waiting = []
        if result is None:
            if sizes and not above and top == bottom == 1 and size != sizes[-1]:
                waiting = below  # d / n, not 1 / n * d
                continue
            result, bottom, sign = _leading(top, bottom, sign, above, below)
        last = [base for base in above if below and facts.is_complex(base)]
        rest = [b for b in above if b not in last]
        result = _times(result, rest, below, bottom)
        for base in last:
            result = multiply(result, base)  # d / r * z: complex quotients are slow
        bottom = 1
    assert result is not None  # nothing waits at the last size
    return result


def _one_number(monomial: Monomial) -> Monomial:
    """The product with an imaginary number in front as one: 2j, not 2 * 1j."""
    front = monomial.coefficient
    for base in monomial.numerators:
        is_number = isinstance(base, Const) and isinstance(base.value, complex)
        if is_number and front > 1 and front.denominator == 1 and not base.value.real:
            rest = list(monomial.numerators)
            rest[rest.index(base)] = Const(complex(0, int(front) * base.value.imag))
            return Monomial(Fraction(1), tuple(rest), monomial.denominators)
    return monomial


def is_derived(monomial: Monomial) -> bool:
    """Whether a product has an adjoint or a tangent as a factor, which floats."""
    refs = (base for base in monomial.numerators if isinstance(base, Ref))
    return any(
        ref.var.origin in (Origin.SEED, Origin.ADJOINT, Origin.TANGENT) for ref in refs
    )


def _place(base: Expr, facts: Facts) -> tuple[bool, int]:
    """Numbers first, then adjoints, other names, tangents, and brackets last.

    Of numbers those of arrays come behind the others: a * d_y[t] * (x[t] - y[t]).
    """
    entry = _entry(base, facts)
    if entry is not None:
        return facts.rank(base) == 0, _rank(entry)
    return _is_of_entries(base, facts), _rank(base)


def _entry(base: Expr, facts: Facts) -> Expr | None:
    """The array that a part, or a name of ours for one, is of."""
    if isinstance(base, Ref) and base.var.origin in (Origin.TEMP, Origin.LOCAL):
        base = facts.definitions.get(base.var, base)
    if isinstance(base, Apply) and base.op == "getitem":
        return base.args[0] if isinstance(base.args[0], Ref) else None
    return None


def _is_of_entries(base: Expr, facts: Facts) -> bool:
    """Whether it is a number that sums and products make of entries."""
    if not isinstance(base, Apply) or base.op not in ARITHMETIC:
        return False
    parts = (_entry(one, facts) or _is_of_entries(one, facts) for one in base.args)
    return facts.rank(base) == 0 and any(parts)


def _rank(base: Expr) -> int:
    if isinstance(base, Const):
        return 0
    if isinstance(base, Apply) and base.op in ADDITIVE:
        return 4
    is_ref = isinstance(base, Ref)
    if is_ref and base.var.origin is Origin.TANGENT:
        return 3
    return 1 if is_ref and base.var.origin in (Origin.SEED, Origin.ADJOINT) else 2


def _leading(
    top: Fraction, bottom: int, sign: bool, above: list[Expr], below: list[Factor]
) -> tuple[Expr, int, bool]:
    """What the product starts with: its number, its sign, or its first factor."""
    if bottom != 1 and bottom & (bottom - 1) == 0 and not below:
        number: Fraction | float = float(top / bottom)
        bottom = 1
    else:
        number = top
    if number != 1 or not above:
        value = int(number) if number == int(number) else number
        return Const(-value if sign else value), bottom, False
    first = above.pop(0)
    return (negative(first) if sign else first), bottom, False


def _times(result: Expr, above: list[Expr], below: list[Factor], bottom: int) -> Expr:
    bases = [factor.base for factor in below]
    # The last one, so that what is printed is read back in the same order.
    repeated = next((b for b in reversed(bases) if bases.count(b) > 1), None)
    if repeated is not None and above and isinstance(repeated, (Ref, Apply)):
        inner = above[-1]
        rest = [factor for factor in below if factor.base != repeated]
        for _ in range(bases.count(repeated)):
            inner = divide(inner, repeated)
        return multiply(_times(result, above[:-1], rest, bottom), inner)
    for base in above:
        result = multiply(result, base)
    for group in _grouped(below):
        product = group[0]
        if bottom != 1:
            product = multiply(Const(bottom), product)
            bottom = 1
        for base in group[1:]:
            product = multiply(product, base)
        result = divide(result, product)
    return result if bottom == 1 else divide(result, Const(bottom))


def is_cubed(base: Expr, times: int, facts: Facts) -> bool:
    """Whether r, r and r are r**3 below a line: r is a number.

    A power of an array costs more than so many quotients, and a high one overflows.
    """
    scalar = facts.rank(base) == 0 and not may_overflow(base, facts)
    return 2 < times < 5 and scalar and not isinstance(base, Const)


def _grouped(below: list[Factor]) -> list[list[Expr]]:
    """Denominators that were written as one product; a repeated one stands alone."""
    groups: dict[int, list[Expr]] = {}
    alone: list[list[Expr]] = []
    for factor in below:
        mine = groups.setdefault(factor.group, [])
        if factor.base in mine:
            alone.append([factor.base])
        else:
            mine.append(factor.base)
    return [group for group in groups.values()] + alone


def _powers(bases: list[Expr], facts: Facts) -> list[Expr]:
    """Repeated factors as powers, at the place of the first.

    Integers stay factors: d * k * k is floating, k**2 may overflow.
    """
    counts: dict[Expr, int] = {}
    for base in bases:
        counts[base] = counts.get(base, 0) + 1
    found: list[Expr] = []
    for base, n in counts.items():
        if n > 1 and may_overflow(base, facts):
            found += [base] * n
        else:
            found.append(base if n == 1 else power(base, Const(n)))
    return found

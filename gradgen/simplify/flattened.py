"""Products in products without their brackets."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.signs import signed
from gradgen.ir.operators import MULTIPLICATIVE, divide, multiply, negative, power
from gradgen.ir.walk import children, map_values, rewrite, with_children
from gradgen.shapes.infer import Facts
from gradgen.simplify.cost import cost
from gradgen.simplify.monomials import is_cubed
from gradgen.simplify.counts import counts_anew, is_data, may_be_whole, may_overflow


def flattened(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies from left to right.

        before:  d_v = d_b * (s * (1 - s))
        after:   d_v = d_b * s * (1 - s)

    A product of the primal's comes in brackets where the gradient writes it again.
    They stay where they save work on arrays: A @ (B @ C) is A @ B @ C where that takes
    as many multiplications. Of two numbers one is made where a person would:
    2 * 0.1 * d_x is 0.2 * d_x, and 3 * 0.1 * d_x stays; d_x * (4 * k) is 4 * d_x * k.
    A minus inside goes in front: d_x * (-k * q) is -d_x * k * q. A number that divides
    three times is a power: d_x / r / r / r is d_x / r**3.
    """
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        if not let.note.derived:
            return let.value
        flat = rewrite(let.value, lambda expr: _flat(expr, facts))
        return _with_cubes(flat, facts)

    return map_values(function, value)


def _with_cubes(expr: Expr, facts: Facts) -> Expr:
    """The expression with x / r**3 for x / r / r / r, r being a number."""
    if not isinstance(expr, Apply):
        return expr
    if expr.op == "numpy.divide":
        value, below, times = _divided(expr)
        whole = _with_cubes(value, facts)
        if is_cubed(below, times, facts):
            return divide(whole, power(below, Const(times)))
        if whole is value:
            return expr
        for _ in range(times):
            whole = divide(whole, below)
        return whole
    inside = [_with_cubes(one, facts) for one in children(expr)]
    same = all(new is old for new, old in zip(inside, children(expr)))
    return expr if same else with_children(expr, inside)


def _divided(expr: Apply) -> tuple[Expr, Expr, int]:
    """What is divided, by what, and how often: x, r and 3 of x / r / r / r."""
    below, times = expr.args[1], 0
    value: Expr = expr
    while isinstance(value, Apply) and value.op == "numpy.divide":
        if value.args[1] != below:
            break
        value, times = value.args[0], times + 1
    return value, below, times


def _flat(expr: Expr, facts: Facts) -> Expr:
    """a * b * c for a * (b * c), where that is no more work."""
    if not _is_product(expr):
        return _flat_matrices(expr, facts)
    assert isinstance(expr, Apply)
    front, behind = expr.args
    number = _one_number(front, behind)
    if number is not None:
        return number
    factors: list[Expr] = []
    while _is_product(behind) and not is_data(behind, facts):
        assert isinstance(behind, Apply)
        behind, last = behind.args
        factors.insert(0, last)
    if _is_minus(behind) and not _may_be_integers(behind.args[0], facts):
        front, behind = _contrary(front), behind.args[0]
    elif not factors:
        return expr
    total = _with_number(behind, front) or multiply(front, behind)
    for factor in factors:
        total = _with_number(factor, total) or multiply(total, factor)
    if cost(total, facts) > cost(expr, facts) or counts_anew(total, expr, facts):
        return expr
    return total


def _is_minus(expr: Expr) -> TypeGuard[Apply]:
    operator = isinstance(expr, Apply) and expr.spelling == "operator"
    return operator and isinstance(expr, Apply) and expr.op == "numpy.negative"


def _may_be_integers(expr: Expr, facts: Facts) -> bool:
    """Whether -x may be another number than -1 * x, as of an unsigned byte."""
    return may_overflow(expr, facts) or may_be_whole(expr, facts)


def _contrary(front: Expr) -> Expr:
    """A product with the other sign, which stands at its first factor."""
    if isinstance(front, Const):
        return signed("USub", front) or negative(front)
    if _is_minus(front):
        return front.args[0]
    if isinstance(front, Apply) and front.op in MULTIPLICATIVE:
        if front.spelling == "operator":
            return replace(front, args=(_contrary(front.args[0]), front.args[1]))
    return negative(front)


def _with_number(number: Expr, front: Expr) -> Expr | None:
    """4 * d_x for 4 and d_x, the number in front of all; None of what is no number."""
    if not isinstance(number, Const) or type(number.value) not in (int, float):
        return None
    if isinstance(front, Apply) and _is_product(front):
        first, *others = front.args
        inner = _with_number(number, first)
        return None if inner is None else multiply(inner, *others)
    if isinstance(front, Const):
        return _one_number(front, number)
    if isinstance(front, Apply) and front.op == "numpy.negative":
        minus = signed("USub", number)
        return None if minus is None else multiply(minus, front.args[0])
    return multiply(number, front)


def _flat_matrices(expr: Expr, facts: Facts) -> Expr:
    """A @ B @ C for A @ (B @ C), of matrices, where that is as much work."""
    if not _is_matrix_product(expr) or not _is_matrix_product(expr.args[1]):
        return expr
    first, (second, third) = expr.args[0], expr.args[1].args
    data = [is_data(one, facts) for one in (first, second, third)]
    if data[1] and (data[0] or data[2]):
        return expr  # of bytes a product is as short, and of masks one of masks
    sizes = [facts.of(one).dims for one in (first, second, third)]
    known = [dims for dims in sizes if dims is not None and len(dims) == 2]
    if len(known) < 3:
        return expr
    (n, k), (_, m), (_, r) = known
    if k * m * r + n * k * r != n * k * m + n * m * r:
        return expr
    return replace(expr, args=(replace(expr, args=(first, second)), third))


def _is_matrix_product(expr: Expr) -> TypeGuard[Apply]:
    operator = isinstance(expr, Apply) and expr.spelling == "operator"
    return operator and isinstance(expr, Apply) and expr.op == "numpy.matmul"


def _one_number(front: Expr, behind: Expr) -> Const | None:
    """0.2 for 2 * 0.1: as exact in decimals as it is in floats, and as written."""
    values = []
    for one in (front, behind):
        if not isinstance(one, Const) or type(one.value) not in (int, float):
            return None
        if one.text not in (None, repr(one.value)) or one.dtype:
            return None
        values.append(one.value)
    product = values[0] * values[1]
    if type(product) is not float or not 1e-4 <= abs(product) < 1e6:
        return None
    exact = Decimal(repr(values[0])) * Decimal(repr(values[1]))
    return Const(product) if Decimal(repr(product)) == exact else None


def _is_product(expr: Expr) -> bool:
    operator = isinstance(expr, Apply) and expr.spelling == "operator"
    return operator and isinstance(expr, Apply) and expr.op == "numpy.multiply"

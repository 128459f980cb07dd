"""Arithmetic on masks and integers alone: it is not that of floating numbers.

`m + n` is `m | n` for masks, `m - n` and `-m` raise, and `k * k` overflows in int8. In
`d * m + d * n` each product is floating, so that the factor `d` must stay inside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from enum import IntEnum

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Param,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import ADDITIVE, LENGTHS, OF_BITS, POWERS, TOTALS
from gradgen.ir.walk import children
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.traits import makes_floats
from gradgen.shapes.infer import Facts
from gradgen.rules.doubles import ALWAYS_DOUBLE
from gradgen.shapes.kinds import INTEGRAL, Kind, operands

NEGATIVE = "numpy.negative"
# what stays in integers, where its operands are integers
CLOSED = frozenset({*POWERS, *ADDITIVE, NEGATIVE})


class Sort(IntEnum):
    """What a value is for arithmetic, in the order of promotion."""

    MASK = 0
    NUMBER = 1  # a Python int: a length, a constant, the index of a loop
    WHOLE = 2  # integers of some width
    FLOATING = 3


def counts_anew(new: Expr, old: Expr, facts: Facts) -> bool:
    """Whether an expression adds or multiplies masks or integers as `old` does not.

    So it does where it is such itself, and `old` is floating: m for 1.0 * m. A mask
    for what counts is another key: x[m * 1] has an entry for each of m. A sum of masks is
    none of numbers: of True + m + 3 * m no 4 * m may be made.
    """
    made = _sort(new, facts)
    if made in (Sort.MASK, Sort.WHOLE):
        was = _sort(old, facts)
        if was is Sort.FLOATING or made is Sort.MASK and was is not Sort.MASK:
            return True
    found = set(_alone(new, facts))
    if found and not found <= set(_alone(old, facts)):
        return True
    sums = set(_either(old, facts))
    if sums and not sums <= set(_either(new, facts)):
        return True
    held: set[Expr] = set()
    if facts.held:
        _data_alone(new, facts, held)
    if not held:
        return False
    before: set[Expr] = set()
    _data_alone(old, facts, before)
    return not held <= before


def _either(expr: Expr, facts: Facts) -> Iterator[Expr]:
    """The sums of masks in an expression, which are true where either is."""
    if not isinstance(expr, Apply):
        return
    if expr.op in ADDITIVE and _sort(expr, facts) is Sort.MASK:
        yield expr
        return
    for child in children(expr):
        yield from _either(child, facts)


def _data_alone(expr: Expr, facts: Facts, found: set[Expr]) -> bool:
    """`may_be_whole` of an expression; notes the parts of which it is true."""
    if not isinstance(expr, Apply):
        return isinstance(expr, Ref) and expr.var in facts.held
    plain = [_is_int(arg, facts) or is_counted(arg, facts) for arg in children(expr)]
    data = [_data_alone(arg, facts, found) for arg in children(expr)]
    if expr.op not in CLOSED:
        return may_be_whole(expr, facts)
    if not all(map(max, plain, data)) or not any(data):
        return False
    found.add(expr)
    return True


def held(
    function: Function, wrt: Iterable[Var], facts: Facts, assumed: Collection[str] = ()
) -> frozenset[Var]:
    """The arguments that may be integers of a byte, and what is computed of them alone.

    They have no gradient, and nothing tells of them: of those in `assumed` the rank is,
    and of x[:n] that n is one whole number, which may be NumPy's.
    """
    facts = copy(facts)
    facts.held = frozenset(
        one.var
        for one in function.params
        if one.var not in wrt
        and (
            facts.shapes[one.var].rank is None
            or one.label in assumed
            or _is_counted_by_use(one, facts)
        )
    )
    if facts.held:
        _hold(function.body, facts)
    return facts.held


def _is_counted_by_use(param: Param, facts: Facts) -> bool:
    """Whether a parameter is a whole number for what is done with it alone."""
    told = param.fact or param.annotation or param.default is not None
    return not told and facts.kind(Ref(param.var)) is Kind.COUNT


def _hold(body: Iterable[Stmt], facts: Facts) -> None:
    """Adds what statements compute of what is held, also from round to round."""
    for stmt in body:
        if isinstance(stmt, Let) and may_be_whole(stmt.value, facts):
            facts.held |= {stmt.var}
        elif isinstance(stmt, Branch):
            for arm in (stmt.then, stmt.orelse):
                _hold(arm, facts)
            for merge in stmt.merges:
                ways = [way for way in (merge.then, merge.orelse) if way != Const(None)]
                if ways and all(may_be_whole(way, facts) for way in ways):
                    facts.held |= {merge.var}
        elif isinstance(stmt, Loop):
            slots = [one for one in stmt.carried if may_be_whole(one.entry, facts)]
            before = facts.held
            while True:
                facts.held = before | {slot.inner for slot in slots}
                _hold(stmt.body, facts)
                kept = [slot for slot in slots if may_be_whole(slot.next, facts)]
                if len(kept) == len(slots):
                    break
                slots = kept
            facts.held |= {slot.exit for slot in slots}


def is_of_floats(expr: Apply) -> bool:
    """Whether an operation is one of numbers alone, and floating: 2 * 1.0."""
    found = [type(arg.value) for arg in expr.args if isinstance(arg, Const)]
    return len(found) == len(expr.args) and float in found and {*found} <= {int, float}


def is_counted(expr: Expr, facts: Facts) -> bool:
    """Whether a value is a mask or integers: no sums of it may be made."""
    return _sort(expr, facts) in (Sort.MASK, Sort.WHOLE)


def is_cast(expr: Apply, facts: Facts) -> bool:
    """Whether a product makes floats of data: 1.0 * k, which is no k then."""
    if expr.op != "numpy.multiply" or len(expr.args) != 2:
        return False
    return any(
        type(getattr(one, "value", None)) is float and may_be_whole(other, facts)
        for one, other in (expr.args, expr.args[::-1])
    )


def is_data(expr: Expr, facts: Facts) -> bool:
    """Whether a value is masks or integers, or nothing tells that it is not.

    Products of two such are contracted in a byte, or by `or`.
    """
    return is_counted(expr, facts) or may_be_whole(expr, facts)


def is_whole(expr: Expr, facts: Facts) -> bool:
    """Whether products of a value with itself may overflow."""
    return _sort(expr, facts) is Sort.WHOLE


def may_overflow(expr: Expr, facts: Facts) -> bool:
    """Whether nothing tells that powers of a value are those of floats."""
    return may_be_whole(expr, facts) or is_whole(expr, facts)


def may_be_whole(expr: Expr, facts: Facts) -> bool:
    """Whether arithmetic is on data alone, of which nothing tells that it is floats.

    `k * k` of held arguments, `3 * k`, `k.max()`: a caller may hand over integers of a
    byte.
    """
    if not facts.held:
        return False
    if isinstance(expr, Ref):
        return expr.var in facts.held
    if not isinstance(expr, Apply):
        return False
    found, parts = False, expr.args if expr.op in CLOSED else _keeping(expr)
    # the last first: the first one of a long sum is all the rest of it
    for arg in reversed(parts):
        if may_be_whole(arg, facts):
            found = True
        elif not _is_int(arg, facts) and not is_counted(arg, facts):
            return False
    return found


def _keeping(expr: Apply) -> Sequence[Expr]:
    """The arguments of an operation that makes integers of integers, or none.

    np.clip(k, 0, 9), k.max() and k[i] do; np.sqrt(k) and k.astype(float) do not.
    """
    if expr.op == "getitem":
        return expr.args[:1]
    if expr.op in OF_BITS:
        return expr.args
    rule = operations().get(expr.op)
    taken = rule is not None and rule.kind in ("elementwise", "general", "linear")
    if rule is None or not taken or makes_floats(expr) or expr.op in ALWAYS_DOUBLE:
        return ()
    given = {param.name: value for param, value in bind(rule, expr).items()}
    if given.get("dtype", Const(None)) != Const(None):
        return ()
    found = expr.args[1:] if expr.op == "numpy.where" else operands(expr)
    several = [
        one.args if getattr(one, "op", "") == "tuple" else [one] for one in found
    ]
    return [one for some in several for one in some if one != Const(None)]


def _is_int(expr: Expr, facts: Facts) -> bool:
    """Whether a value is one of Python's integers: 2, 3 * 3, len(x)."""
    if isinstance(expr, Const):
        return type(expr.value) is int and not expr.dtype
    return facts.kind(expr) is Kind.COUNT and facts.rank(expr) == 0


def _alone(expr: Expr, facts: Facts) -> Iterator[Expr]:
    """The parts of an expression that compute in integers, or with masks as numbers."""
    if not isinstance(expr, Apply):
        return
    for child in children(expr):
        yield from _alone(child, facts)
    op = expr.op
    if op not in CLOSED:
        return
    sorts = _sorts(expr, facts)
    if Sort.FLOATING in sorts or sorts == {Sort.NUMBER}:
        return
    if Sort.WHOLE in sorts or op not in POWERS and Sort.NUMBER not in sorts:
        yield expr


def _sorts(expr: Apply, facts: Facts) -> set[Sort]:
    """The sorts of the operands, the last first: one that is floating is enough."""
    found = set()
    for arg in reversed(expr.args):
        found.add(sort := _sort(arg, facts))
        if sort is Sort.FLOATING:
            break
    return found


def _sort(expr: Expr, facts: Facts) -> Sort:
    if type(expr) is Const and not expr.dtype:
        if isinstance(expr.value, bool):
            return Sort.MASK  # True + mask is a mask
        return Sort.NUMBER if isinstance(expr.value, int) else Sort.FLOATING
    if isinstance(expr, Apply):
        op = expr.op
        if op in CLOSED:
            return max(_sorts(expr, facts))
        if op == "numpy.divide":
            return Sort.FLOATING
        if op in LENGTHS or op == "getitem" and _is_length(expr.args[0], facts):
            return Sort.NUMBER
        if op in TOTALS and _sort(expr.args[0], facts) is Sort.MASK:
            return Sort.NUMBER
    kind = facts.kind(expr)
    if kind is Kind.BOOLEAN:
        return Sort.MASK
    if kind not in INTEGRAL:
        return Sort.WHOLE if _is_of_bits(expr, facts) else Sort.FLOATING
    if isinstance(expr, Ref) and facts.rank(expr) == 0:
        value = facts.definitions.get(expr.var)
        if value is not None:
            return _sort(value, facts)
        return Sort.NUMBER if kind is Kind.COUNT else Sort.WHOLE
    return Sort.WHOLE


def _is_of_bits(expr: Expr, facts: Facts) -> bool:
    """Whether a value is k ^ l of arguments of which nothing is told: no floats."""
    made = facts.definitions.get(expr.var) if isinstance(expr, Ref) else expr
    return isinstance(made, Apply) and made.op in OF_BITS


def _is_length(expr: Expr, facts: Facts) -> bool:
    if isinstance(expr, Ref):
        value = facts.definitions.get(expr.var)
        return value is not None and _is_length(value, facts)
    return isinstance(expr, Apply) and expr.op == "numpy.shape"

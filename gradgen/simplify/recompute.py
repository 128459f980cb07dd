"""Subexpressions of the user's statements: folded back, named, or written twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from gradgen.ir.depth import is_deep
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import ARITHMETIC, COMPARISONS
from gradgen.ir.walk import (
    children,
    is_static,
    lets,
    reads,
    static,
    substitute,
    with_blocks,
    with_expressions,
)
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR
from gradgen.simplify.again import FREE
from gradgen.simplify.monomials import weight
from gradgen.simplify.moves import Reading


# an entry of a name is read so often before it gets one of its own
ITEMS = 4
# so many operations are not written again
LONG = 4
# vectors of fewer entries are squared again
MOST = 4


def recompute(
    function: Function, facts: Facts, twice: Collection[Var] = ()
) -> Function:
    """The function with the primal's subexpressions back in their statements.

        before:  t = 1 - cosine
                 u = np.abs(t)
                 loss = np.sum(u)
                 d_cosine = -d_loss * np.sign(t)
        after:   loss = np.sum(np.abs(1 - cosine))
                 d_cosine = -d_loss * np.sign(1 - cosine)

    What the gradient reads as well is written twice when it is one cheap
    operation, and gets a line and a name of its own when it is not, or when both of
    its operands would get one instead. `twice` are those that the user has written more
    than once, and may again.
    """
    reading = Reading(function)
    unpacked = _unpacked(function)
    values: dict[Any, Any] = {}
    every = {let.var: let for let in lets(function.body)}
    for let in reversed(every.values()):
        if let.note.role is not Role.FORWARD or let.var.origin is not Origin.TEMP:
            continue
        if let.var in unpacked or not reading.may_move(let):
            continue
        f, g = reading.forward[let.var], reading.gradient[let.var]
        again = let.var in twice and g == 0 and _is_arithmetic(let.value)
        again |= f + g <= ITEMS and not reading.block[let.var] and _is_entry(let.value)
        if again or _folds(let, f, g, facts) and not _names(let, reading, every, facts):
            values[let.var] = let.value
            reading.moved(let)
    if not values:
        return function
    full: dict[Any, Any] = {}
    body = _substituted(function.body, values, full)
    return replace(
        function,
        body=body,
        values=tuple(substitute(value, full) for value in function.values),
        results=tuple(
            replace(result, value=substitute(result.value, full))
            for result in function.results
        ),
    )


def _substituted(
    body: Iterable[Stmt], values: dict[Any, Any], full: dict[Var, Expr]
) -> tuple[Stmt, ...]:
    """A block with values in place of variables; `full` grows by the whole values."""
    kept = []
    for stmt in body:
        stmt = with_expressions(stmt, lambda expr: substitute(expr, full))
        folded = isinstance(stmt, Let) and stmt.var in values
        if isinstance(stmt, Let) and folded and not is_deep(stmt.value):
            full[stmt.var] = stmt.value
        else:
            kept.append(with_blocks(stmt, lambda b: _substituted(b, values, full)))
    return tuple(kept)


def _folds(let: Let, forward: int, gradient: int, facts: Facts) -> bool:
    value = let.value
    if isinstance(value, Apply) and (value.op in FREE or _is_view(value)):
        return True
    if _tests_none(value):
        return True
    if _is_length(value, facts) or _is_part(value):
        return True
    if forward + gradient == 1:
        return True
    often = 2 if facts.of(value) == SCALAR else 1
    return forward <= 1 and gradient <= often and _is_cheap(value, facts)


def _names(let: Let, reading: Reading, every: dict[Var, Let], facts: Facts) -> bool:
    """Whether two operands would need names of their own if it were written twice.

    What is longer than one operation has one itself where it would be written thrice, or
    is long.
    """
    f, g = reading.forward[let.var], reading.gradient[let.var]
    if f + g == 1 or not _is_arithmetic(let.value):
        return False
    operations = _operations(let.value, reading, every)
    if operations > 1 and (f + g > 2 or operations >= LONG):
        return True
    named = 0
    for var in set(reads(let.value)):
        part = every.get(var)
        if part is None or var.origin is not Origin.TEMP:
            continue
        once = reading.forward[var] == 1 and reading.gradient[var] == 0
        named += once and reading.may_move(part) and not _folds(part, f, g, facts)
    return named > 1


def _operations(value: Expr, reading: Reading, every: dict[Var, Let]) -> int:
    """How many operations are written where a value is, with those in it read nowhere else."""
    count, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Ref):
            part = every.get(one.var)
            once = reading.forward[one.var] + reading.gradient[one.var] == 1
            if part is not None and one.var.origin is Origin.TEMP and once:
                waiting.append(part.value)
        elif isinstance(one, Apply):
            count += one.op in ARITHMETIC
            waiting += children(one)
    return count


def _is_arithmetic(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in ARITHMETIC


def _tests_none(value: Expr) -> bool:
    """Whether it is the test of a name: w is None, w is not None."""
    is_test = isinstance(value, Apply) and value.op in ("is", "is_not")
    return is_test and all(isinstance(arg, (Ref, Const)) for arg in value.args)


def _is_length(value: Expr, facts: Facts) -> bool:
    """Whether a value is one length of an array: X.shape[0]."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    source = value.args[0]
    if isinstance(source, Ref):
        source = facts.definitions.get(source.var, source)
    return isinstance(source, Apply) and source.op == "numpy.shape"


def _is_cheap(value: Expr, facts: Facts) -> bool:
    """One arithmetic operation or comparison, not on a matrix."""
    if not isinstance(value, Apply):
        return False
    if value.op not in ARITHMETIC | COMPARISONS:
        return _is_view(value) or _is_light(value, facts)
    known = facts.of(value).rank is not None
    return not known or weight(value, facts)[0] <= 1


def _is_view(value: Expr) -> bool:
    """Whether it is x.T, or x with two axes in other places."""
    if not isinstance(value, Apply):
        return False
    turned = value.op == "numpy.swapaxes" and all(map(is_static, value.args[1:]))
    return turned or value.spelling == "attribute:T"


def _is_light(value: Apply, facts: Facts) -> bool:
    """A diagonal, a range of places, half of a length or a power of it, a square.

    The square of a number, or of a vector of two or three: gap @ gap.
    """
    if len(value.args) == 1 and not value.kwargs:
        arg = value.args[0]
        if value.op == "numpy.diag":
            return facts.rank(arg) == 2
        if value.op == "numpy.sqrt":
            return facts.is_index(arg)
        return value.op == "numpy.arange"
    if value.op == "numpy.floor_divide":
        return facts.is_index(value.args[0]) and is_static(value.args[1])
    if value.op == "numpy.matmul" and value.args[0] == value.args[1]:
        dims = facts.of(value.args[0]).dims
        return dims is not None and len(dims) == 1 and (dims[0].number or MOST) < MOST
    if value.op != "numpy.power" or facts.of(value) != SCALAR:
        return False
    # Q.shape[-1] ** -0.5
    of_length = facts.is_index(value.args[0]) and is_static(value.args[1])
    return value.args[1:] == (Const(2),) or of_length


def _is_part(value: Expr) -> bool:
    """Whether it is the real or imaginary part of something with a name: a view."""
    if not isinstance(value, Apply) or value.op not in ("numpy.real", "numpy.imag"):
        return False
    named = (Origin.USER, Origin.PARAM)
    return isinstance(value.args[0], Ref) and value.args[0].var.origin in named


def _is_entry(value: Expr) -> bool:
    """Whether it is an entry or a view by a key that is written out: p[2], e[:, 0].

    In a loop a name for it costs less than to read it again in every round.
    """
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    source, key = value.args
    named = (Origin.USER, Origin.PARAM)
    if not isinstance(source, Ref) or source.var.origin not in named:
        return False
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return all(map(_is_place, items))


def _is_place(item: Expr) -> bool:
    if isinstance(item, Apply) and item.op == "slice":
        return all(isinstance(arg, Const) for arg in item.args)
    return isinstance(item, Const) and not isinstance(static(item), bool)


def _unpacked(function: Function) -> set[Any]:
    """The values that are unpacked whole into the user's names: n, d = X.shape."""
    items: dict[Any, Any] = {}
    every = list(lets(function.body))
    for let in every:
        for var in reads(let.value):
            items.setdefault(var, []).append(let)
    found = set()
    for let in every:
        if let.var.origin is not Origin.TEMP or let.note.role is not Role.FORWARD:
            continue
        if not let.note.lines:
            continue
        names = let.note.lines[0].target.strip("()").split(",")
        users = items.get(let.var, [])
        if len(names) < 2 or len(users) != len(names):
            continue
        if all(_is_item(user, let, i) for i, user in enumerate(users)):
            found.add(let.var)
    return found


def _is_item(user: Let, let: Let, i: int) -> bool:
    value = user.value
    return (
        user.note == let.note
        and isinstance(value, Apply)
        and value.op == "getitem"
        and value.args[0] == Ref(let.var)
        and isinstance(value.args[1], Const)
        and static(value.args[1]) == i
    )

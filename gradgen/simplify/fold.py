"""Compiler temporaries used once go back into the expression that uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradgen.ir.callee import stays
from gradgen.ir.depth import is_deep
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import IN_PLACE
from gradgen.ir.walk import (
    lets,
    map_expressions,
    reads,
    reads_of,
    statements,
    substitute,
    uses,
    with_blocks,
    with_expressions,
)


def aliases(function: Function) -> Function:
    """The function without adjoints that are only other names.

    before:  d_XX = d_XX_sum
             d_X = 2 * d_XX * X
    after:   d_X = 2 * d_XX_sum * X
    """
    for stmt in statements(function.body):
        if isinstance(stmt, Let) and isinstance(stmt.value, (Ref, Const)):
            if stmt.note.role is not Role.FORWARD:
                break
    else:
        return function
    values: dict[Any, Any] = {}
    body = _without_aliases(function.body, values)
    if not values:
        return function
    return replace(
        function,
        body=tuple(body),
        results=tuple(
            replace(result, value=substitute(result.value, values))
            for result in function.results
        ),
    )


def _without_aliases(source: Iterable[Stmt], values: dict[Any, Any]) -> list[Stmt]:
    """One block without them; `values` grows by what stands for each."""
    body: list[Stmt] = []
    places: dict[Any, Any] = {}
    for stmt in source:
        stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
        if not isinstance(stmt, Let):
            # Entries are read before the body, values that leave after it.
            stmt = with_blocks(stmt, lambda b: _without_aliases(b, values))
            stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
            body.append(stmt)
            continue
        value = stmt.value
        place = places.get(value.var) if isinstance(value, Ref) else None
        if stmt.note.role is Role.FORWARD or not isinstance(value, (Ref, Const)):
            places[stmt.var] = len(body)
            body.append(stmt)
        elif place is not None and is_temporary(body[place]) and not is_temporary(stmt):
            # The value takes the name that the user gave one of its variables.
            old = body[place].var
            later = {old: Ref(stmt.var)}
            for var, value in values.items():
                values[var] = substitute(value, later)
            values.update(later)
            body[place] = replace(body[place], var=stmt.var)
            places[stmt.var] = place
            after = map_expressions(
                body[place + 1 :], lambda expr: substitute(expr, later)
            )
            body[place + 1 :] = after
        else:
            values[stmt.var] = value
    return body


def is_temporary(let: Let) -> bool:
    """Whether the statement is the compiler's, not one of the user's names."""
    if let.var.origin in (Origin.TEMP, Origin.LOCAL):
        return True
    of = let.var.of
    return (
        let.var.origin in (Origin.ADJOINT, Origin.TANGENT)
        and of is not None
        and (of.origin in (Origin.TEMP, Origin.LOCAL))
    )


def fold(function: Function) -> Function:
    """The function with single-use temporaries of the gradient folded in.

        before:  d_t = d_y * np.cos(t)
                 d_x = 2 * d_t
                 return d_x
        after:   d_x = 2 * (d_y * np.cos(t))
                 return d_x

    What an in-place statement changes stays a name of its own, nothing moves past a
    statement that changes what it reads, and nothing becomes too deep. New axes are
    written out twice: d_z[:, None] costs nothing, and needs no name.
    """
    changed = set()
    for let in lets(function.body):
        if isinstance(let.value, Apply) and let.value.op in IN_PLACE:
            changed |= {let.var, *_base(let)}
    values: dict[Var, Expr] = {}
    body = _folded(function.body, uses(function), changed, values, top=True)
    if not values:
        return function
    results = tuple(
        replace(result, value=substitute(result.value, values))
        for result in function.results
    )
    return replace(function, body=body, results=results)


def _folded(
    source: Iterable[Stmt],
    counted: Counter[Any],
    changed: set[Any],
    values: dict[Any, Any],
    top: bool,
) -> tuple[Stmt, ...]:
    """One block with its own temporaries in its own assignments."""
    source = tuple(source)
    readers: Counter[Any] = Counter()
    inside: set[Any] = set()
    places: dict[Any, Any] = {}
    overwritten: dict[Any, Any] = {}
    turned: set[Var] = set()
    for i, stmt in enumerate(source):
        if isinstance(stmt, Let):
            for var in reads(stmt.value):
                readers[var] += 1
                places[var] = i
            if stmt.note.derived and _is_minus(stmt):
                turned.update(reads(stmt.value))
        else:
            inside.update(reads_of(stmt))
        for var in bases(stmt):
            overwritten.setdefault(var, i)
    body: list[Stmt] = []
    for i, stmt in enumerate(source):
        if not isinstance(stmt, Let):
            inner = with_blocks(
                stmt, lambda b: _folded(b, counted, changed, values, top=False)
            )
            body.append(inner)
            continue
        if any(var in values for var in reads(stmt.value)):
            stmt = replace(stmt, value=substitute(stmt.value, values))
        twice = stmt.var.origin is Origin.ADJOINT and _is_view(stmt.value)
        once = counted[stmt.var] <= 1 + twice and stmt.var not in changed
        local = readers[stmt.var] == counted[stmt.var] or top and stmt.var not in inside
        end = places.get(stmt.var, len(source))
        moves = all(not i < overwritten.get(var, i) < end for var in reads(stmt.value))
        # an adjoint that is returned keeps its name
        light = stmt.var in turned and stmt.var.origin is Origin.ADJOINT
        light = readers[stmt.var] == 1 and (light or _is_light(stmt))
        temporary = stmt.note.derived and (is_temporary(stmt) or light)
        temporary = temporary and not stays(stmt.value)
        if once and local and moves and temporary and not is_deep(stmt.value):
            values[stmt.var] = stmt.value
            for var in reads(stmt.value):
                places[var] = max(places.get(var, i), end)
        else:
            body.append(stmt)
    return tuple(body)


def _is_light(let: Let) -> bool:
    """Whether an adjoint is another one, but for its sign or axes of length 1.

    before:  d_far = -d_near
             d_gap = 2 * d_far[:, None] * gap
    after:   d_gap = 2 * (-d_near)[:, None] * gap
    """
    if let.var.origin is not Origin.ADJOINT or not isinstance(let.value, Apply):
        return False
    return _puts_axes(let.value) or _is_minus(let)


def _is_view(value: Expr) -> bool:
    """Whether a value is a variable with more axes, which costs nothing."""
    return _puts_axes(value) and isinstance(getattr(value, "args")[0], Ref)


def _puts_axes(value: Expr) -> bool:
    """Whether a value is another one with more axes of length 1: x[:, None]."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    key = value.args[1]
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    whole = Apply("slice", (Const(None),) * 3)
    return all(item in (Const(None), Const(...), whole) for item in items)


def _is_minus(let: Let) -> bool:
    """Whether an adjoint is the negative of another one."""
    value = let.value
    minus = isinstance(value, Apply) and value.op == "numpy.negative"
    return minus and isinstance(value.args[0], Ref) and not is_temporary(let)


def bases(stmt: Stmt) -> Iterator[Any]:
    """The variables that a statement may change."""
    for one in statements((stmt,)):
        if isinstance(one, Let):
            yield from _base(one)
        elif isinstance(one, Loop):
            for slot in one.carried:
                yield from reads(slot.entry)


def _base(let: Let) -> tuple[Any, ...]:
    """The variable that an in-place statement changes."""
    value = let.value
    if isinstance(value, Apply) and value.op in IN_PLACE:
        if isinstance(value.args[0], Ref):
            return (value.args[0].var,)
    return ()

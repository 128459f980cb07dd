"""Axes that are gone through backwards, once where twice would be forwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import lets, map_values, rewrite, subexpressions, uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

_WHOLE = Apply("slice", (Const(None),) * 3)
_BACKWARDS = Apply("slice", (Const(None), Const(None), Const(-1)))


def turned(function: Function, facts: Facts) -> Function:
    """The function that turns the axes of a derivative round once, and reads them so.

        before:  d_x = np.flip(np.cumsum(np.flip(d_z[::-1])))
        after:   d_x = np.flip(np.cumsum(d_z))

    An array of zeros that is filled backwards, d_y[::-1] = d_z, is d_z[::-1].
    """
    found = [one for let in lets(function.body) for one in subexpressions(let.value)]
    if not any(_axes(one, facts) for one in found if isinstance(one, Apply)):
        return function
    counted = uses(function)
    once = {var for var, count in counted.items() if count == 1}
    function = replace(function, body=_read(function.body, once, facts))
    return map_values(function, lambda let: _once(let, facts))


def _read(body: Iterable[Stmt], once: set[Var], facts: Facts) -> tuple[Stmt, ...]:
    """The block that reads backwards what fills an array of zeros backwards."""
    zeros: set[Var] = set()
    done: list[Stmt] = []
    for stmt in body:
        stmt = with_blocks(stmt, lambda block: _read(block, once, facts))
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and isinstance(value, Apply) and stmt.note.derived:
            if value.op == "numpy.zeros_like" and stmt.var in once:
                zeros.add(stmt.var)
            elif value.op == "setitem" and _fills(value, zeros, facts):
                stmt = replace(stmt, value=getitem(value.args[2], value.args[1]))
        done.append(stmt)
    return tuple(done)


def _fills(store: Apply, zeros: set[Var], facts: Facts) -> bool:
    """Whether each of an array's zeros gets one of the values, of its own dtype."""
    base, key, value = store.args
    if not (isinstance(base, Ref) and base.var in zeros and _backwards(key)):
        return False
    alike = facts.kind(value) == facts.kind(base)
    alike = alike and facts.is_complex(value) == facts.is_complex(base)
    return alike and equal(facts.of(value), facts.of(base))


def _once(let: Let, facts: Facts) -> Expr:
    if not let.note.derived:
        return let.value

    def change(expr: Expr) -> Expr:
        outer = _axes(expr, facts)
        inner = _axes(expr.args[0], facts) if outer else None
        if not (outer and inner):
            return expr
        left = outer ^ inner
        value = expr.args[0].args[0]
        if not left:
            return value
        items = [_BACKWARDS if i in left else _WHOLE for i in range(max(left) + 1)]
        return getitem(value, Apply("tuple", tuple(items)) if items[1:] else items[0])

    return rewrite(let.value, change)


def _axes(expr: Expr, facts: Facts) -> frozenset[int] | None:
    """The axes that an operation turns round, if that is all it does."""
    if not isinstance(expr, Apply):
        return None
    if expr.op == "getitem":
        return _backwards(expr.args[1])
    if expr.op != "numpy.flip":
        return None
    rank = facts.rank(expr)
    axis = (*expr.args[1:], *(value for _, value in expr.kwargs), Const(None))[0]
    if not rank or not isinstance(axis, Const):
        return None
    if axis.value is None:
        return frozenset(range(rank))
    return frozenset({axis.value % rank}) if type(axis.value) is int else None


def _backwards(key: Expr) -> frozenset[int] | None:
    """The axes along which a key of whole axes goes backwards, None of other keys."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    if any(item not in (_WHOLE, _BACKWARDS) for item in items):
        return None
    return frozenset(i for i, item in enumerate(items) if item == _BACKWARDS) or None

"""The parameters that are numbers, by their use."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.asked import kinds_asked, of_kind
from gradgen.ir.callee import callee_of
from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Var
from gradgen.ir.operators import COMPARISONS
from gradgen.ir.walk import statements
from gradgen.shapes.counted import counted
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR


def numbers(function: Function) -> Iterator[tuple[Var, Kind]]:
    """The parameters that are numbers: a loop's bounds, in a test, lengths.

    A test tells nothing of a parameter of which it is asked whether it is a number:
    if np.isscalar(x) and x < 0, or one inside if isinstance(x, float).
    """
    yield from ((var, Kind.COUNT) for var in counted(function))
    params = {param.var for param in function.params}
    tests = set()
    for stmt in statements(function.body):
        if isinstance(stmt, Branch) and isinstance(stmt.test, Ref):
            tests.add(stmt.test.var)
    asked = kinds_asked(function.body)
    for stmt in statements(function.body):
        found: tuple[Expr, ...] = ()
        kind = Kind.WEAK
        if isinstance(stmt, Loop) and stmt.over is not None:
            found, kind = stmt.over.args, Kind.COUNT
        elif isinstance(stmt, Loop) and stmt.test is not None:
            found = _compared(stmt.test)
        elif isinstance(stmt, Let) and stmt.var in tests:
            found = _compared(stmt.value)
        elif isinstance(stmt, Branch):
            found = _compared(stmt.test)
        for expr in found:
            if isinstance(expr, Ref) and expr.var in params:
                if kind is Kind.COUNT or expr.var not in asked:
                    yield expr.var, kind
        if isinstance(stmt, Let):
            told = _numbers_called_with(stmt.value)
            yield from ((var, kind) for var, kind in told if var in params)


def _numbers_called_with(value: Expr) -> Iterator[tuple[Var, Kind]]:
    """The arguments of a call that are numbers in the function that is called."""
    if not isinstance(value, Apply) or value.op != "kept":
        return
    callee = callee_of(value)
    if callee.facts is None:
        return
    wholes = {param.label: param.var for param in callee.body.params}
    for name, arg in zip(callee.params, value.args[1:], strict=True):
        var = wholes.get(name)  # none of a container
        if var is None or not isinstance(arg, Ref):
            continue
        if callee.facts.shapes[var] == SCALAR:
            yield arg.var, callee.facts.kinds[var]


def _compared(test: Expr) -> tuple[Expr, ...]:
    """The operands of the comparisons of a test: Python decides on one value."""
    if not isinstance(test, Apply):
        return ()
    if test.op in COMPARISONS:
        return test.args
    if test.op in ("and", "or", "not"):
        asked = of_kind(test)
        found = (expr for arg in test.args for expr in _compared(arg))
        return tuple(e for e in found if not isinstance(e, Ref) or e.var not in asked)
    return ()

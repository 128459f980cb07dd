"""What a function asks the kind of: whether it is a number or an array."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Branch, Expr, Ref, Stmt, Var
from gradgen.ir.operators import ASKS_KIND
from gradgen.ir.walk import lets, raises, statements, subexpressions


def kinds_asked(body: Iterable[Stmt]) -> set[Var]:
    """What a branch asks the kind of, unless it raises for one of the kinds."""
    body = tuple(body)
    tests = [
        stmt.test
        for stmt in statements(body)
        if isinstance(stmt, Branch) and not raises(stmt.then)
    ]
    asked = {var for test in tests for var in of_kind(test)}
    for let in lets(body):
        if Ref(let.var) in tests:
            asked |= of_kind(let.value)
    return asked


def of_kind(test: Expr) -> set[Var]:
    """The values whose kind a test asks for: isinstance(x, float), np.ndim(x) == 0."""
    calls = (e for e in subexpressions(test) if isinstance(e, Apply))
    first = [call.args[0] for call in calls if call.op in ASKS_KIND]
    return {arg.var for arg in first if isinstance(arg, Ref)}

"""Which values may be whole numbers, where an argument is a Python int after all.

Arguments that facts tell to be arrays are floating. A number, and what nothing is
told of, may be an integer, or an array of them; so may be what is computed of it by
+, a sum, a view, until it meets a float or a function that makes floats of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Loop
from gradgen.ir.nodes import Origin, Ref, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.rules.load import operations
from gradgen.rules.refusals import names_dtype, sort_of_dtype
from gradgen.rules.traits import makes_floats
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

# operations whose value has the dtype of their first argument
OF_THE_FIRST = {
    "helper._unbroadcast",
    *"point stopped getitem setitem additem add_at accumulate item sliced".split(),
    *"numpy.zeros_like numpy.ones_like numpy.full_like numpy.empty_like".split(),
    *STORES,
}
# lists, whose entries are read one by one
OF_ENTRIES = {"append", "list", "tuple", "joined", "put"}


def wholes(function: Function, facts: Facts) -> frozenset[Var]:
    """The variables of a function that may be whole numbers.

    Seeds and tangents are floating; of what nothing is told, no more is known than
    that it is a number or an array, whatever rank is assumed of it.
    """
    given = {
        param.var
        for param in function.params
        if param.var.origin not in (Origin.SEED, Origin.TANGENT)
        and facts.kinds[param.var] <= Kind.LIKE
        and (param.assumed or param.whole or not facts.rank(Ref(param.var)))
        and param.var not in facts.complexes
    }
    return whole_among(function, given)


def whole_among(function: Function, given: Set[Var]) -> frozenset[Var]:
    """The variables that may be whole numbers where those that are given may be."""
    found: set[Var] = set(given)
    while True:
        before = len(found)
        _follow(function.body, found)
        if len(found) == before:
            return frozenset(found)


def _follow(body: tuple[Stmt, ...], found: set[Var]) -> None:
    """Adds what may be whole by the statements of a block."""

    def learn(var: Var, *values: Expr) -> None:
        if any(may_be_whole(value, found) for value in values):
            found.add(var)

    for stmt in body:
        if isinstance(stmt, Let):
            learn(stmt.var, stmt.value)
        elif isinstance(stmt, Branch):
            _follow(stmt.then, found)
            _follow(stmt.orelse, found)
            for merge in stmt.merges:
                learn(merge.var, merge.then, merge.orelse)
        elif isinstance(stmt, Loop):
            found.add(stmt.index)
            for slot in stmt.carried:
                learn(slot.inner, slot.entry, slot.next)
            _follow(stmt.body, found)
            for slot in stmt.carried:
                learn(slot.exit, slot.entry, slot.next)


def may_be_whole(expr: Expr, found: Set[Var]) -> bool:
    """Whether an expression's value may be whole, of variables that may be."""
    if isinstance(expr, Ref):
        return expr.var in found
    if isinstance(expr, Const):
        items = expr.value if isinstance(expr.value, tuple) else (expr.value,)
        return not any(isinstance(item, (float, complex)) for item in items)
    assert isinstance(expr, Apply)
    dtype = dict(expr.kwargs).get("dtype")
    if expr.op in ("astype", "numpy.astype"):
        dtype = expr.args[1] if len(expr.args) > 1 else dtype
    if dtype is not None:
        return _is_whole_dtype(dtype, found)
    if expr.op in OF_THE_FIRST:
        return may_be_whole(expr.args[0], found)
    if expr.op in OF_ENTRIES:
        return any(may_be_whole(arg, found) for arg in expr.args)
    if makes_floats(expr):
        return False
    rule = operations().get(expr.op)
    if rule is not None and rule.kind in ("boolean", "integer"):
        return True
    return all(may_be_whole(arg, found) for arg in expr.args)


def _is_whole_dtype(dtype: Expr, found: Set[Var]) -> bool:
    if isinstance(dtype, Apply) and dtype.op == "numpy.result_type":
        return all(may_be_whole(arg, found) for arg in dtype.args)
    if isinstance(dtype, Apply) and dtype.op == "dtype":
        return may_be_whole(dtype.args[0], found)
    if isinstance(dtype, Ref):
        return True
    return not names_dtype(dtype) and sort_of_dtype(dtype) not in ("f", "c")


def whole_operands(
    facts: Facts,
) -> tuple[Callable[[Expr], bool], Callable[[Expr], bool]]:
    """Whether an operand of the primal holds NumPy's integers or bools, and whether
    nothing tells of it that it holds floats."""

    def holds(expr: Expr) -> bool:
        kind = facts.kinds.get(expr.var) if isinstance(expr, Ref) else None
        return kind in (Kind.BOOLEAN, Kind.INTEGER)

    def may_hold(expr: Expr) -> bool:
        return isinstance(expr, Ref) and expr.var in facts.held

    return holds, may_hold

"""Arrays of which loops take each row apart: one without rows is looked at less strictly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Const, Function, Let, Loop, Ref, Var
from gradgen.ir.walk import own_expressions, statements, subexpressions, uses


def rows_apart(primal: Function) -> frozenset[Var]:
    """The arguments that are read row by row alone, each of which is taken apart.

    NumPy and Python raise by themselves where such an argument has fewer axes, unless it
    is empty, as [] is: the loop has no round then.

    before:  for c, m in terms: v += c * np.exp(-m * r)
    after:   terms
    """
    every = list(statements(primal.body))
    rounds = {one.index for one in every if isinstance(one, Loop)}
    rows: dict[Var, Var] = {}  # each row, of which argument
    for stmt in every:
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and isinstance(value, Apply) and len(value.args) == 2:
            whole, key = value.args
            if value.op == "getitem" and isinstance(whole, Ref):
                if isinstance(key, Ref) and key.var in rounds:
                    rows[stmt.var] = whole.var
    read = uses(primal)
    plain = Counter(var for var, _ in _plain_reads(primal))
    items = Counter(var for var, is_length in _plain_reads(primal) if not is_length)
    measured = {var for var, is_length in _plain_reads(primal) if is_length}
    apart = {row for row in rows if row in measured and plain[row] == read[row]}
    taken = Counter(rows.values())
    return frozenset(
        param.var
        for param in primal.params
        if 0 < taken[param.var] == items[param.var]
        and plain[param.var] == read[param.var]
        and all(row in apart for row, whole in rows.items() if whole == param.var)
    )


def _plain_reads(primal: Function) -> Iterator[tuple[Var, bool]]:
    """The variables whose length, or one item, is read, and whether it is the length."""
    for stmt in statements(primal.body):
        for whole in own_expressions(stmt):
            for one in subexpressions(whole):
                first = one.args[0] if isinstance(one, Apply) and one.args else None
                if not isinstance(one, Apply) or not isinstance(first, Ref):
                    continue
                if one.op == "len":
                    yield first.var, True
                elif one.op == "getitem" and _is_place(one.args[1]):
                    yield first.var, False


def _is_place(key: object) -> bool:
    return isinstance(key, Ref) or isinstance(key, Const) and type(key.value) is int

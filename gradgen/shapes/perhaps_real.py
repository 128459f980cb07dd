"""Which values are complex by one way alone: where the text went another they are real."""

from __future__ import annotations

from gradgen.ir.nodes import Function, Let, Var
from gradgen.ir.walk import joins, statements
from gradgen.shapes.complexes import is_complex
from gradgen.shapes.infer import Facts


def perhaps_real(function: Function, facts: Facts) -> frozenset[Var]:
    """The variables that count as complex, and may be real when the text runs.

    if k > 2:
        z = x * 1j
    else:
        z = x          # z counts as complex, and so does 2 * z; 2j * z always is
    """
    if not facts.complexes:
        return frozenset()
    given = {param.var for param in function.params}
    sure = set(facts.complexes)
    while True:
        lost = set()
        for stmt in statements(function.body):
            values = [(stmt.var, stmt.value)] if isinstance(stmt, Let) else joins(stmt)
            for var, value in values:
                if var in sure and var not in given and not is_complex(value, sure):
                    lost.add(var)
        if not lost:
            return frozenset(facts.complexes - sure)
        sure -= lost

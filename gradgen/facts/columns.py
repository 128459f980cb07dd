"""Columns: what meets its own transpose, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.through import of_entries
from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads


def columns(primal: Function) -> Iterator[str]:
    """The arguments that have one column: each entry is held against each other.

    before:  m * m.T        x.T - x
    after:   m and x are (n, 1)

    What has a capital is a square matrix, and so is what stands in a product of matrices.
    """
    values = {let.var: let.value for let in lets(primal.body)}
    multiplied = {
        end
        for value in values.values()
        if getattr(value, "op", "") in MATRIX_PRODUCTS
        for end in _ends(value, values)
    }
    found = {
        end
        for value in values.values()
        if isinstance(value, Apply) and _is_paired(value)
        for end in _ends(_transposed(value, values), values)
    }
    for param in primal.params:
        if param.var in found - multiplied and not param.label[:1].isupper():
            yield param.label


def _is_paired(value: Apply) -> bool:
    """Whether it is a product or a difference: of a sum, A + A.T, A is square."""
    return value.op == "numpy.multiply" or ADDITIVE.get(value.op) == -1


def _transposed(value: Apply, values: dict[Var, Expr]) -> Expr | None:
    """What meets its own transpose in an operation."""
    for one, other in (value.args[:2], value.args[1::-1]):
        made = values.get(one.var) if isinstance(one, Ref) else None
        if isinstance(made, Apply) and made.op == "numpy.transpose":
            if made.args == (other,) and not made.kwargs:
                return other
    return None


def _ends(value: Expr | None, values: dict[Var, Expr]) -> set[Var]:
    """The variables that a value is computed of, entry by entry."""
    if value is None:
        return set()
    parts = value.args if getattr(value, "op", "") in MATRIX_PRODUCTS else (value,)
    found: set[Var] = set()
    for part in parts:
        for end in upstream(part, values, of_entries):
            found.update(reads(end))
    return found
